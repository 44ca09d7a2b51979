import { t } from '../i18n/i18n';
import { SelectField, TextField } from '../ui/field';

/** Security of the connection to a mail server. */
type Security = 'TLS' | 'STARTTLS' | 'NONE';

/** A mail server as people type it. */
export interface MailValues {
  readonly host: string;
  readonly port: string;
  readonly security: Security;
  readonly user: string;
  readonly password: string;
  readonly from: string;
  readonly replyTo: string;
  readonly publicUrl: string;
}

/** Creates the values of a mail server that is not set up yet. */
export const newMail = (): MailValues => ({
  ...{ host: '', port: '', security: 'STARTTLS', user: '', password: '', from: '', replyTo: '' },
  publicUrl: location.origin,
});

/** The ports that mail servers usually have. */
const usualPorts: Readonly<Record<Security, string>> = { TLS: '465', STARTTLS: '587', NONE: '25' };

/** Returns values as both APIs take them: empty ones are missing. A port that is no number is refused like 0. */
export function mailInputOf({ host, port, security, from, ...others }: MailValues) {
  const filled = Object.entries(others).filter(([, value]) => value.trim() !== '');
  const optional: { user?: string; password?: string; replyTo?: string; publicUrl?: string } =
    Object.fromEntries(filled);
  return { host, security, from, ...optional, ...(port.trim() && { port: Number(port) || 0 }) };
}

/** Renders the fields of a mail server. It sends nothing. */
export function MailForm({
  values,
  onChange,
  wrong,
  hasPassword = false,
  isShort = false,
}: {
  readonly values: MailValues;
  readonly onChange: (values: MailValues) => void;
  /** Finds the message about a field. */
  readonly wrong: (field: keyof MailValues) => string | undefined;
  /** True if a password is stored, which an empty field keeps. */
  readonly hasPassword?: boolean;
  /** True to leave out what few people change. */
  readonly isShort?: boolean;
}) {
  const bind = (name: keyof MailValues) => ({
    value: values[name],
    onInput: (value: string) => onChange({ ...values, [name]: value }),
    wrong: wrong(name),
  });
  const plain = { autoComplete: 'off', autoCapitalize: 'none', spellcheck: false } as const;
  return (
    <div class="form">
      <TextField
        label={t('mail.host')}
        {...bind('host')}
        control={{ ...plain, required: true, placeholder: 'smtp.example.com' }}
      />
      <SelectField
        label={t('mail.security')}
        value={values.security}
        onChange={(security) => onChange({ ...values, security })}
        wrong={wrong('security')}
        choices={[
          { value: 'STARTTLS', label: t('mail.security_STARTTLS') },
          { value: 'TLS', label: t('mail.security_TLS') },
          { value: 'NONE', label: t('mail.security_NONE') },
        ]}
      />
      <TextField
        label={t('mail.port')}
        {...bind('port')}
        control={{ ...plain, inputMode: 'numeric', placeholder: usualPorts[values.security] }}
      />
      <TextField
        label={t('mail.user')}
        hint={t('mail.user_hint')}
        {...bind('user')}
        control={{ ...plain, type: 'text' }}
      />
      <TextField
        label={t('mail.password')}
        {...(hasPassword && { hint: t('mail.password_hint') })}
        {...bind('password')}
        control={{ ...plain, type: 'password', autoComplete: 'new-password' }}
      />
      <TextField
        label={t('mail.from')}
        {...bind('from')}
        control={{ ...plain, required: true, placeholder: 'Expiry <expiry@example.com>' }}
      />
      {!isShort && (
        <>
          <TextField
            label={t('mail.reply_to')}
            hint={t('mail.reply_to_hint')}
            {...bind('replyTo')}
            control={plain}
          />
          <TextField
            label={t('mail.public_url')}
            hint={t('mail.public_url_hint')}
            {...bind('publicUrl')}
            control={{ ...plain, type: 'url' }}
          />
        </>
      )}
    </div>
  );
}
