import { now } from '../../data/client';
import { Tokens } from '../../generated/operations/settings';
import type { AccessTokenFilter, AccessTokenOrderField, TokenRowFragment } from '../../generated/types';
import { formatDay } from '../../i18n/dates';
import { t } from '../../i18n/i18n';
import type { ListSpec } from '../../list/declare';
import { ListPart } from '../../list/list';
import { Ago, Badge } from '../../ui/status';
import { NewTokenDialog, RenameDialog, RevokeDialog } from './token';

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
