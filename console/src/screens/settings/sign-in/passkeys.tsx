import { useState } from 'preact/hooks';
import { request } from '../../../data/client';
import { canUsePasskeys, makePasskey } from '../../../data/door';
import {
  AddPasskey,
  BeginPasskey,
  DeletePasskey,
  RenamePasskey,
} from '../../../generated/operations/settings';
import type { PasskeyRowFragment } from '../../../generated/types';
import { formatDay } from '../../../i18n/dates';
import { t } from '../../../i18n/i18n';
import { Form } from '../../../records/form/form';
import type { FieldSpec } from '../../../records/record-type';
import { Button, IconButton } from '../../../ui/button';
import { Dialog, RemovalDialog } from '../../../ui/dialog';
import { Ago, Badge } from '../../../ui/status';
import { tell, tellFault } from '../../../ui/toast';
import { sendConfirmed } from './confirm';
import { deviceText } from './sessions';

const nameField: FieldSpec<{ readonly name: string }> = {
  type: 'text',
  name: 'name',
  label: 'fields.name',
  control: { autoComplete: 'off' },
};

/** The current dialog about a passkey. */
interface Asked {
  readonly passkey: PasskeyRowFragment;
  readonly about: 'name' | 'delete';
}

/** Lets the person create a passkey in this browser. */
async function add(): Promise<string | undefined> {
  const begun = await sendConfirmed(() => request(BeginPasskey, {}));
  if (!begun) return undefined;
  if (!begun.ok) {
    tellFault(begun.fault);
    return undefined;
  }
  const credential = await makePasskey(begun.data.startPasskey as Parameters<typeof makePasskey>[0]);
  if (!credential) {
    tell(t('signIn.passkey_none_made'));
    return undefined;
  }
  const input = { name: deviceText(navigator.userAgent), credential };
  const added = await sendConfirmed(() => request(AddPasskey, { input }));
  if (added && !added.ok) tellFault(added.fault);
  return added?.ok ? added.data.addPasskey?.id : undefined;
}

function PasskeyLine({
  passkey,
  ask,
}: {
  readonly passkey: PasskeyRowFragment;
  readonly ask: (asked: Asked) => void;
}) {
  const { name, created, lastUsedAt, isBackedUp } = passkey;
  return (
    <li>
      <div>
        <p class="line">
          <span class="strong">{name}</span>
          {isBackedUp && <Badge urgency="good">{t('signIn.backed_up')}</Badge>}
        </p>
        <p class="soft small">
          {t('signIn.added', { date: formatDay(created.slice(0, 10)) })}
          {' · '}
          {lastUsedAt ? (
            <>
              {t('settings.last_used')} <Ago moment={lastUsedAt} />
            </>
          ) : (
            t('signIn.never_used')
          )}
        </p>
      </div>
      <span class="rowactions">
        <IconButton
          icon="edit"
          label={`${t('signIn.rename')}: ${name}`}
          onClick={() => ask({ passkey, about: 'name' })}
        />
        <IconButton
          icon="trash"
          label={`${t('common.delete')}: ${name}`}
          onClick={() => ask({ passkey, about: 'delete' })}
        />
      </span>
    </li>
  );
}

/** Renders the passkeys, and lets the person add one. */
export function PasskeysCard({
  passkeys,
  onDone,
}: {
  readonly passkeys: readonly PasskeyRowFragment[];
  readonly onDone: () => unknown;
}) {
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const done = () => {
    close();
    onDone();
  };
  return (
    <section class="card narrow stack">
      <h2>{t('signIn.passkeys')}</h2>
      <p class="soft">{t('signIn.passkeys_text')}</p>
      {passkeys.length > 0 && (
        <ul class="entrylist">
          {passkeys.map((passkey) => (
            <PasskeyLine key={passkey.id} passkey={passkey} ask={setAsked} />
          ))}
        </ul>
      )}
      {canUsePasskeys() ? (
        <div>
          <Button
            icon="plus"
            onClick={async () => {
              if (!(await add())) return;
              tell(t('signIn.passkey_added'));
              onDone();
            }}
          >
            {t('signIn.passkey_add')}
          </Button>
        </div>
      ) : (
        <p class="note">{t('signIn.passkeys_not_here')}</p>
      )}
      {asked?.about === 'name' && (
        <Dialog title={asked.passkey.name} onClose={close}>
          <Form
            fields={[nameField]}
            row={asked.passkey}
            action={t('common.save')}
            send={({ name }) =>
              request(RenamePasskey, { id: asked.passkey.id, name: String(name ?? asked.passkey.name) })
            }
            onDone={() => {
              tell(t('common.saved'));
              done();
            }}
          />
        </Dialog>
      )}
      {asked?.about === 'delete' && (
        <RemovalDialog
          title={t('signIn.passkey_delete')}
          text={t('signIn.passkey_delete_text', { name: asked.passkey.name })}
          gone={t('common.deleted', { name: asked.passkey.name })}
          send={() => sendConfirmed(() => request(DeletePasskey, { id: asked.passkey.id }))}
          onDone={done}
          onClose={close}
        />
      )}
    </section>
  );
}
