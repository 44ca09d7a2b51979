import { useState } from 'preact/hooks';
import { t } from '../i18n/i18n';
import { Button } from './button';
import { Field, type FieldProps } from './field';

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
