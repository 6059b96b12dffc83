/** What is wrong with a body, as Discord says it: code 50035 with a tree of field paths (reference#error-messages). */
export interface FormFaults {
  /** @param path such as `embeds.0.description` */
  add(path: string, code: string, message: string): void;
  list(): readonly string[];
  /** The body of the 400 response; null: nothing is wrong. */
  toBody(): object | null;
}

interface Branch {
  _errors?: { code: string; message: string }[];
  [key: string]: Branch | { code: string; message: string }[] | undefined;
}

export function createFormFaults(): FormFaults {
  const root: Branch = {};
  const lines: string[] = [];
  return {
    add(path, code, message) {
      lines.push(`${path}: ${message}`);
      let branch = root;
      for (const key of path.split('.')) {
        const next = branch[key];
        const child: Branch = next === undefined || Array.isArray(next) ? {} : next;
        branch[key] = child;
        branch = child;
      }
      branch._errors = [...(branch._errors ?? []), { code, message }];
    },
    list: () => lines,
    toBody: () => (lines.length === 0 ? null : { code: 50035, message: 'Invalid Form Body', errors: root }),
  };
}

/**
 * A text field within its limit. Discord does not say which unit it counts: this counts UTF-16 units, the strictest
 * reading, so that a text that passes here passes under any. Surrounding space is dropped first, as Discord does.
 */
export function checkText(
  faults: FormFaults,
  path: string,
  value: unknown,
  limits: { readonly least?: number; readonly most: number },
): void {
  const { least = 0, most } = limits;
  if (value === undefined || value === null) {
    if (least > 0) faults.add(path, 'BASE_TYPE_REQUIRED', 'This field is required');
    return;
  }
  if (typeof value !== 'string') {
    faults.add(path, 'STRING_TYPE_CONVERT', 'Could not interpret as string.');
    return;
  }
  const { length } = value.trim();
  if (length === 0 && least > 0) faults.add(path, 'BASE_TYPE_REQUIRED', 'This field is required');
  else if (length < least || length > most) {
    if (least > 0) {
      faults.add(path, 'BASE_TYPE_BAD_LENGTH', `Must be between ${least} and ${most} in length.`);
    } else faults.add(path, 'BASE_TYPE_MAX_LENGTH', `Must be ${most} or fewer in length.`);
  }
}
