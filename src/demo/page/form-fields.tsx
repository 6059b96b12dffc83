import type { ChatForm } from '../emulator.ts';

export function FormFields(props: { readonly form: ChatForm; readonly submit: string; readonly cancel: string }) {
  const { form } = props;
  return (
    <>
      <label class="form-field">
        <span class="form-label">{form.label}</span>
        <textarea name="text" rows={4} maxLength={form.maxLength} />
      </label>
      <p class="form-hint">Up to {form.maxLength.toLocaleString('en')} characters</p>
      <div class="form-acts">
        <button type="button" class="form-cancel" data-act="close-form">
          {props.cancel}
        </button>
        <button type="submit" class="form-submit">
          {props.submit}
        </button>
      </div>
    </>
  );
}
