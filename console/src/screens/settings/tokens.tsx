import { useState } from 'preact/hooks';
import { place, setSearch } from '../../app/router';
import { now } from '../../data/client';
import type { VariablesOf } from '../../data/operation';
import { usePages } from '../../data/pages';
import { Tokens } from '../../generated/operations/settings';
import type { TokenRowFragment } from '../../generated/types';
import { formatDay } from '../../i18n/dates';
import { t } from '../../i18n/i18n';
import { ListFoot } from '../../records/list-foot';
import { SearchField } from '../../records/record-list';
import { SaveButton, SavingNote } from '../../records/save';
import { type Column, RecordTable } from '../../records/table';
import { Button, IconButton } from '../../ui/button';
import { Check } from '../../ui/field';
import { FaultNote } from '../../ui/state';
import { Ago, Badge } from '../../ui/status';
import { NewTokenDialog, RenameDialog, RevokeDialog } from './token';

/** The current dialog about a token. */
interface Asked {
  readonly id: string;
  readonly about: 'new' | 'rename' | 'revoke';
}

function Ends({ token }: { readonly token: TokenRowFragment }) {
  const { revokedAt, expiresAt } = token;
  if (revokedAt) return <Badge>{t('settings.revoked')}</Badge>;
  if (!expiresAt) return <span>{t('settings.ends_never')}</span>;
  const isOver = Date.parse(expiresAt) <= now().getTime();
  return isOver ? <Badge>{t('status.expired')}</Badge> : <span>{formatDay(expiresAt.slice(0, 10))}</span>;
}

function columnsWith(ask: (asked: Asked) => void): readonly Column<TokenRowFragment>[] {
  return [
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
    {
      label: 'common.edit',
      text: () => '',
      only: 'screen',
      draw: ({ id, name, revokedAt }) =>
        revokedAt === null && (
          <span class="rowactions">
            <IconButton
              icon="edit"
              label={`${t('common.edit')}: ${name}`}
              onClick={() => ask({ id, about: 'rename' })}
            />
            <IconButton
              icon="trash"
              label={`${t('settings.revoke')}: ${name}`}
              onClick={() => ask({ id, about: 'revoke' })}
            />
          </span>
        ),
      class: 'figure',
    },
  ];
}

/** Renders access tokens: their purposes and expiry dates. */
export function TokensPart() {
  const { search } = place.value;
  const [asked, setAsked] = useState<Asked>();
  const isAll = search.has('all');
  const variables: VariablesOf<typeof Tokens> = {
    filter: { term: search.get('q')?.trim() || undefined, ...(!isAll && { isRevoked: false }) },
    orderBy: [{ field: 'CREATED', direction: 'DESC' }],
  };
  const list = usePages(Tokens, variables, (data) => data.list);
  const columns = columnsWith(setAsked);
  const token = list.rows.find(({ id }) => id === asked?.id);
  const close = () => setAsked(undefined);
  const done = () => {
    close();
    list.reload();
  };
  return (
    <>
      <div class="listbar">
        <SearchField />
        <SaveButton name="tokens" columns={columns} operation={Tokens} variables={variables} />
        <Check
          label={t('settings.with_revoked')}
          checked={isAll}
          onChange={(all) => setSearch({ all: all ? '1' : undefined })}
        />
        <Button icon="plus" weight="first" onClick={() => setAsked({ id: '', about: 'new' })}>
          {t('settings.new_token')}
        </Button>
      </div>
      <SavingNote />
      {list.fault && <FaultNote fault={list.fault} onRetry={list.reload} />}
      <RecordTable
        title={t('settings.tokens')}
        rows={list.rows}
        columns={columns}
        isFirst={list.isFirst}
        isStale={list.isStale}
      />
      <ListFoot list={list} />
      {asked?.about === 'new' && <NewTokenDialog onMade={list.reload} onClose={close} />}
      {token && asked?.about === 'rename' && <RenameDialog token={token} onDone={done} onClose={close} />}
      {token && asked?.about === 'revoke' && <RevokeDialog token={token} onDone={done} onClose={close} />}
    </>
  );
}
