import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/i18n';
import { Button } from './button';

interface PasswordProps extends FieldProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** Tells password managers what to fill in. */
  readonly autoComplete: 'current-password' | 'new-password' | 'off';
  readonly autoFocus?: boolean;
}

/** Renders a field for a password, which can be shown. */
export function PasswordField({ value, onInput, autoComplete, autoFocus = false, ...field }: PasswordProps) {
  const [isShown, setShown] = useState(false);
  return (
    <Field {...field}>
      {(props) => (
        <div class="password">
          <input
            class="input"
            {...props}
            type={isShown ? 'text' : 'password'}
            autoComplete={autoComplete}
            autofocus={autoFocus}
            autoCapitalize="none"
            spellcheck={false}
            required
            value={value}
            onInput={({ currentTarget }) => onInput(currentTarget.value)}
          />
          <Button weight="bare" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? t('session.hide') : t('session.show')}
          </Button>
        </div>
      )}
    </Field>
  );
}

/** Focuses the first field of a form, so that typing goes into it. */
export function focusFirst(form: Element | null): void {
  form?.querySelector<HTMLElement>('input:not([type="checkbox"], [type="file"]), select, textarea')?.focus();
}

/**
 * Focuses the first field of a form when it appears. Browsers obey `autofocus` only in the first form of a page.
 * @param step focuses the first field again when it changes
 */
export function useFirstFocus(step?: unknown) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => focusFirst(form.current), [step]);
  return form;
}

/** Attributes that connect a control with its field. */
export interface ControlProps {
  readonly id: string;
  readonly 'aria-invalid'?: 'true';
  readonly 'aria-describedby'?: string;
}

/** Texts around a field's control. */
export interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** The error that the gateway or the form has found. */
  readonly wrong?: string | undefined;
  readonly isWide?: boolean;
}

/** Renders the label, the hint and the error of a control. */
export function Field({
  label,
  hint,
  wrong,
  isWide,
  children,
}: FieldProps & { readonly children: (control: ControlProps) => ComponentChildren }) {
  const id = useId();
  const about = [hint && `${id}-hint`, wrong && `${id}-wrong`].filter(Boolean).join(' ');
  return (
    <div class={isWide ? 'field wide' : 'field'}>
      <label for={id}>{label}</label>
      {children({
        id,
        ...(wrong && { 'aria-invalid': 'true' }),
        ...(about && { 'aria-describedby': about }),
      })}
      {wrong && (
        <p class="wrong" id={`${id}-wrong`}>
          {wrong}
        </p>
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface TextProps extends FieldProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** Attributes of the control itself: type, required, autocomplete … */
  readonly control?: Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onInput'>;
}

/** Renders a field of one line: text, date, time, number. */
export function TextField({ value, onInput, control, ...field }: TextProps) {
  return (
    <Field {...field}>
      {(props) => (
        <input
          class="input"
          {...control}
          {...props}
          value={value}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** Renders a field of several lines. */
export function TextArea({ value, onInput, ...field }: Omit<TextProps, 'control'>) {
  return (
    <Field {...field}>
      {(props) => (
        <textarea
          class="input"
          {...props}
          value={value}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** One of few values, with its text. */
export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

/** Renders a choice between few values. */
export function SelectField<Value extends string>({
  value,
  onChange,
  choices,
  ...field
}: FieldProps & {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly choices: readonly Choice<Value>[];
}) {
  return (
    <Field {...field}>
      {(props) => (
        <select
          class="input"
          {...props}
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value as Value)}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** Renders a checkbox with its label. */
export function Check({
  label,
  checked,
  onChange,
}: {
  readonly label: ComponentChildren;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
