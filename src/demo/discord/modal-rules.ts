import { type JsonObject, toObject, toObjects, toText } from '../json.ts';
import { componentTypes } from './component-rules.ts';
import { checkText, type FormFaults } from './form-faults.ts';

/** The text field of a modal, wherever it sits: in a label (new) or an action row (old). */
export interface ModalInput {
  readonly customId: string;
  readonly label: string;
  readonly least: number;
  readonly most: number;
  readonly required: boolean;
  readonly within: 'label' | 'row';
}

/** Checks the data of a type 9 response (interactions/receiving-and-responding.mdx#modal, components/reference.mdx#text-input). */
export function checkModal(faults: FormFaults, data: JsonObject): void {
  checkText(faults, 'data.custom_id', data.custom_id, { least: 1, most: 100 });
  checkText(faults, 'data.title', data.title, { least: 1, most: 45 });
  const { components } = data;
  if (!Array.isArray(components) || components.length < 1 || components.length > 5) {
    faults.add('data.components', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 5 in length.');
    return;
  }
  toObjects(components).forEach((component, index) => {
    const at = `data.components.${index}`;
    const labelled = component.type === componentTypes.label;
    const input = labelled ? toObject(component.component) : toObject(toObjects(component.components)[0]);
    if ((!labelled && component.type !== componentTypes.row) || input.type !== componentTypes.textInput) {
      faults.add(`${at}.type`, 'UNION_TYPE_CHOICES', 'Value of field "type" must be one of (1, 18).');
      return;
    }
    checkText(faults, `${at}.label`, labelled ? component.label : input.label, { least: 1, most: 45 });
    if (labelled) checkText(faults, `${at}.description`, component.description, { most: 100 });
    checkText(faults, `${at}.custom_id`, input.custom_id, { least: 1, most: 100 });
    checkText(faults, `${at}.placeholder`, input.placeholder, { most: 100 });
    checkText(faults, `${at}.value`, input.value, { most: 4_000 });
    if (input.style !== 1 && input.style !== 2)
      faults.add(`${at}.style`, 'BASE_TYPE_CHOICES', 'Value must be one of (1, 2).');
    checkRange(faults, `${at}.min_length`, input.min_length, 0);
    checkRange(faults, `${at}.max_length`, input.max_length, 1);
  });
}

function checkRange(faults: FormFaults, path: string, value: unknown, least: number): void {
  if (value === undefined || value === null) return;
  if (typeof value !== 'number' || value < least || value > 4_000) {
    faults.add(path, 'NUMBER_TYPE_MAX', `int value should be between ${least} and 4000.`);
  }
}

export function readModalInput(data: JsonObject): ModalInput | null {
  const [component] = toObjects(data.components);
  if (component === undefined) return null;
  const labelled = component.type === componentTypes.label;
  const input = labelled ? toObject(component.component) : toObject(toObjects(component.components)[0]);
  return {
    customId: toText(input.custom_id),
    label: toText(labelled ? component.label : input.label),
    least: typeof input.min_length === 'number' ? input.min_length : 0,
    most: typeof input.max_length === 'number' ? input.max_length : 4_000,
    required: input.required !== false,
    within: labelled ? 'label' : 'row',
  };
}
