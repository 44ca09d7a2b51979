import { useState } from 'preact/hooks';
import { may } from '../app/session';
import { type DataOf, request } from '../data/client';
import { ErasePerson } from '../generated/operations/records';
import { t } from '../i18n/i18n';
import { Button } from '../ui/button';
import { Dialog, RemovalDialog } from '../ui/dialog';

type Erased = NonNullable<DataOf<typeof ErasePerson>['erasePerson']>;

/** Renders the button that erases a person, and then what somebody has to decide about. */
export function EraseButton({ id }: { readonly id: string }) {
  const [isAsked, ask] = useState(false);
  const [erased, setErased] = useState<Erased>();
  if (!may('ADMINISTER')) return null;
  async function send() {
    const outcome = await request(ErasePerson, { id });
    if (outcome.ok && outcome.data.erasePerson) setErased(outcome.data.erasePerson);
    return outcome;
  }
  return (
    <>
      <Button icon="trash" weight="bad" onClick={() => ask(true)}>
        {t('records.erase')}
      </Button>
      {isAsked && (
        <RemovalDialog
          title={t('records.erase')}
          text={t('records.erase_text')}
          gone={t('common.saved')}
          send={send}
          onDone={() => ask(false)}
          onClose={() => ask(false)}
        />
      )}
      {erased && (
        <Dialog title={t('records.erase')} onClose={() => setErased(undefined)}>
          <ul class="rows">
            {erased.mentions.map(({ kind, recordId, excerpt }) => (
              <li key={recordId + excerpt} class="breaks">
                {kind} {recordId}: {excerpt}
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  );
}
