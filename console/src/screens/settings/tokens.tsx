import { useState } from 'preact/hooks';
import { caller } from '../../app/session';
import { now, request } from '../../data/client';
import { findUsers } from '../../data/options';
import { CreateToken, RenameToken, RevokeToken, Tokens } from '../../generated/operations/settings';
import type {
  AccessTokenFilter,
  AccessTokenOrderField,
  CreateTokenMutation,
  Role,
  TokenRowFragment,
} from '../../generated/types';
import { formatDay } from '../../i18n/dates';
import { t } from '../../i18n/i18n';
import type { ListSpec } from '../../list/declare';
import { ListPart } from '../../list/list';
import { Form } from '../../records/form/form';
import type { FieldSpec, Input } from '../../records/record-type';
import { Dialog, RemovalDialog } from '../../ui/dialog';
import { Secret } from '../../ui/secret';
import { Ago, Badge } from '../../ui/status';
import { tell } from '../../ui/toast';
import { roleChoices } from './people';

const nameField = {
  type: 'text',
  name: 'name',
  label: 'settings.token_for',
  control: { autoComplete: 'off' },
} as const;

const fields: readonly FieldSpec<TokenRowFragment>[] = [
  nameField,
  { type: 'choice', name: 'role', label: 'settings.role', isNeeded: true, choices: roleChoices },
  {
    type: 'choice',
    name: 'expiresAt',
    label: 'settings.ends',
    isNeeded: true,
    choices: [
      { value: '90', label: 'settings.ends_90' },
      { value: '30', label: 'settings.ends_30' },
      { value: '365', label: 'settings.ends_365' },
      { value: 'never', label: 'settings.ends_never' },
    ],
  },
  {
    type: 'record',
    name: 'userId',
    label: 'settings.as_user',
    otherwise: () => t('settings.yourself', { value: caller.value?.me.name ?? '' }),
    find: findUsers,
    chosen: () => undefined,
  },
];

const day = 86_400_000;

function create({ name = '', role, expiresAt, userId }: Input) {
  const days = Number(expiresAt);
  const ends = Number.isNaN(days) ? null : new Date(now().getTime() + days * day).toISOString();
  const input = {
    name: String(name),
    role: role as Role,
    expiresAt: ends,
    ...(typeof userId === 'string' && { userId }),
  };
  return request(CreateToken, { input });
}

type Made = NonNullable<CreateTokenMutation['createAccessToken']>;

/** Asks what a token is for, and shows it once. */
export function NewTokenDialog({
  reload,
  onClose,
}: {
  readonly reload: () => unknown;
  readonly onClose: () => void;
}) {
  const [made, setMade] = useState<Made>();
  return (
    <Dialog title={made?.accessToken.name ?? t('settings.new_token')} onClose={onClose}>
      {made ? (
        <div class="stack">
          <p>{t('settings.token_once')}</p>
          <Secret text={made.token} />
          {made.signingSecret && (
            <>
              <p>{t('settings.signing_secret')}</p>
              <Secret text={made.signingSecret} />
            </>
          )}
        </div>
      ) : (
        <Form
          fields={fields}
          action={t('settings.new_token')}
          send={create}
          onDone={({ createAccessToken }) => {
            if (createAccessToken) setMade(createAccessToken);
            reload();
          }}
        />
      )}
    </Dialog>
  );
}

interface TokenDialogProps {
  readonly row: TokenRowFragment;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks for a token's new name. */
export function RenameDialog({ row: token, onDone, onClose }: TokenDialogProps) {
  return (
    <Dialog title={token.name} onClose={onClose}>
      <Form
        fields={[nameField]}
        row={token}
        action={t('common.save')}
        send={({ name }, base = token) =>
          request(RenameToken, { id: base.id, ifVersion: base.version, name: name as string | undefined })
        }
        onDone={() => {
          tell(t('common.saved'));
          onDone();
        }}
      />
    </Dialog>
  );
}

/** Asks before a token is revoked, which cannot be undone. */
export function RevokeDialog({ row: { id, name, version }, onDone, onClose }: TokenDialogProps) {
  return (
    <RemovalDialog
      title={t('settings.revoke')}
      text={t('settings.revoke_text', { name })}
      action={t('settings.revoke')}
      gone={t('settings.revoked')}
      send={() => request(RevokeToken, { id, ifVersion: version })}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

const isInForce = ({ revokedAt }: TokenRowFragment) => revokedAt === null;

function Ends({ token }: { readonly token: TokenRowFragment }) {
  const { revokedAt, expiresAt } = token;
  if (revokedAt) return <Badge>{t('settings.revoked')}</Badge>;
  if (!expiresAt) return <span>{t('settings.ends_never')}</span>;
  const isOver = Date.parse(expiresAt) <= now().getTime();
  return isOver ? <Badge>{t('status.expired')}</Badge> : <span>{formatDay(expiresAt.slice(0, 10))}</span>;
}

const tokens: ListSpec<TokenRowFragment, AccessTokenFilter, AccessTokenOrderField> = {
  name: 'tokens',
  title: 'settings.tokens',
  operation: Tokens,
  order: [{ field: 'CREATED', direction: 'DESC' }],
  empty: { icon: 'link', title: 'common.none' },
  add: { label: 'settings.new_token', isAllowed: () => true, Dialog: NewTokenDialog },
  filters: [
    {
      type: 'check',
      name: 'all',
      label: 'settings.with_revoked',
      where: (all) => (all ? {} : { isRevoked: false }),
    },
  ],
  columns: [
    { label: 'settings.token_for', text: ({ name }) => name },
    { label: 'settings.role', text: ({ role }) => t(`session.role_${role}`), class: 'roomy' },
    { label: 'settings.as_user', text: ({ user }) => user?.name, class: 'roomy' },
    {
      label: 'settings.last_used',
      text: ({ lastUsedAt }) => lastUsedAt,
      draw: ({ lastUsedAt }) => (lastUsedAt ? <Ago moment={lastUsedAt} /> : '–'),
      class: 'roomy',
    },
    { label: 'settings.ends', text: ({ expiresAt }) => expiresAt, draw: (token) => <Ends token={token} /> },
  ],
  rowActions: [
    { icon: 'edit', label: 'common.edit', isFor: isInForce, Dialog: RenameDialog },
    { icon: 'trash', label: 'settings.revoke', isFor: isInForce, Dialog: RevokeDialog },
  ],
};

/** Renders access tokens: their purposes and expiry dates. */
export const TokensPart = () => <ListPart list={tokens} />;
