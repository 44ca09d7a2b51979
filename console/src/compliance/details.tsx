import { useState } from 'preact/hooks';
import { addressOf } from '../app/addresses';
import { may } from '../app/session';
import { useQuery } from '../data/answers';
import type { DataOf } from '../data/client';
import { request } from '../data/client';
import { CreateExemption, EndExemption, ExemptionsHere } from '../generated/operations/compliance';
import { formatDay, today } from '../i18n/dates';
import { t } from '../i18n/i18n';
import { joinNames, shownName } from '../i18n/names';
import { Form } from '../records/form/form';
import { AskDialog } from '../requests/ask';
import { Button, LinkButton } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Bones, FaultNote } from '../ui/state';
import { tell, tellFault } from '../ui/toast';
import {
  addingAddress,
  type Check,
  type CheckedHolder,
  CheckState,
  dateText,
  isAskable,
  isLacking,
  type Required,
  wantedOf,
} from './checks';

type Exemption = DataOf<typeof ExemptionsHere>['exemptions']['nodes'][number];

/** Returns the filter of a record's exemptions. */
const exemptionsOf = ({ kind, id }: CheckedHolder) => ({ [`${kind.toLowerCase()}Id`]: id });

/** Finds the exemption that holds today. */
const holding = (exemptions: readonly Exemption[], requirementId: string) =>
  exemptions.find(
    (one) =>
      one.requirementId === requirementId &&
      one.endedOn === null &&
      one.from <= today() &&
      (one.until === null || one.until >= today()),
  );

/** Says until when somebody has exempted a record, and why. */
const exemptionText = ({ until, reason, user }: Exemption) =>
  joinNames(until ? t('compliance.until', { date: formatDay(until) }) : undefined, reason, user?.name);

/** Renders why a record is exempt from a requirement, and by whom. */
export function ExemptionLine({
  holder,
  required,
}: {
  readonly holder: CheckedHolder;
  readonly required: Required;
}) {
  const { data } = useQuery(ExemptionsHere, { filter: exemptionsOf(holder), first: 100 });
  const exemption = data && holding(data.exemptions.nodes, required.id);
  if (!exemption) return null;
  return <span class="soft small breaks wide">{joinNames(exemption.reason, exemption.user?.name)}</span>;
}

interface DetailsProps {
  readonly holder: CheckedHolder;
  readonly check: Check;
  readonly required: Required;
  readonly onClose: () => void;
}

/** Renders the form that exempts a record from a requirement. */
function ExemptForm({ holder, required, onClose }: Omit<DetailsProps, 'check'>) {
  return (
    <Form
      fields={[
        {
          type: 'text',
          name: 'reason',
          isWide: true,
          hint: 'compliance.reason_hint',
          control: { required: true },
        },
        {
          type: 'date',
          name: 'until',
          label: 'compliance.exempt_until',
          hint: 'compliance.exempt_until_hint',
        },
      ]}
      isFocused
      isInDialog
      action={t('compliance.exempt')}
      send={({ reason, until }) =>
        request(CreateExemption, {
          input: {
            ...{ requirementId: required.id, holderKind: holder.kind, holderId: holder.id },
            reason: String(reason ?? ''),
            ...(until ? { until: String(until) } : {}),
          },
        })
      }
      onDone={() => {
        tell(t('common.saved'));
        onClose();
      }}
      onCancel={onClose}
    />
  );
}

/** Renders the exemption that holds, with a button that ends it. */
function HeldExemption({ holder, required, onClose }: Omit<DetailsProps, 'check'>) {
  const filter = { ...exemptionsOf(holder), requirementId: required.id };
  const { data, fault, reload } = useQuery(ExemptionsHere, { filter });
  if (fault) return <FaultNote fault={fault} onRetry={reload} />;
  if (!data) return <Bones rows={2} />;
  const exemption = holding(data.exemptions.nodes, required.id);
  if (!exemption) return null;
  async function end({ id, version }: Exemption) {
    const outcome = await request(EndExemption, { id, ifVersion: version });
    if (!outcome.ok) {
      tellFault(outcome.fault);
      await reload();
      return;
    }
    tell(t('compliance.exemption_ended'));
    onClose();
  }
  return (
    <>
      <p class="breaks">{exemptionText(exemption)}</p>
      {may('WRITE') && (
        <p>
          <Button onClick={() => end(exemption)}>{t('compliance.end_exemption')}</Button>
        </p>
      )}
    </>
  );
}

/** Renders a requirement's state in a dialog, with what can be done about it. */
export function CheckDialog({ holder, check, required, onClose }: DetailsProps) {
  const [isExempting, setExempting] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const { item, since } = check;
  const wanted = isAskable(check) && wantedOf(holder, check, required);
  if (isAsking && wanted) return <AskDialog wanted={[wanted]} onClose={onClose} />;
  return (
    <Dialog title={shownName(required.name)} onClose={onClose}>
      <div class="stack">
        <p class="line">
          <CheckState check={check} />
          <span class="soft small">
            {joinNames(
              check.state === 'EXEMPT' ? undefined : dateText(check),
              since ? t('compliance.since', { date: formatDay(since) }) : undefined,
            )}
          </span>
        </p>
        {item && (
          <p class="breaks">
            <a href={addressOf('EXPIRATION_ITEM', item.id)}>{shownName(item.name)}</a>
          </p>
        )}
        {check.state === 'EXEMPT' && <HeldExemption {...{ holder, required, onClose }} />}
        {isExempting ? (
          <ExemptForm {...{ holder, required, onClose }} />
        ) : (
          may('WRITE') &&
          check.state !== 'EXEMPT' && (
            <div class="line">
              {isLacking(check) && (
                <LinkButton icon="plus" weight="first" href={addingAddress(holder, required)}>
                  {t('compliance.add_paper')}
                </LinkButton>
              )}
              {wanted && (
                <Button icon="send" onClick={() => setAsking(true)}>
                  {t('requests.ask_for_it')}
                </Button>
              )}
              <Button onClick={() => setExempting(true)}>{t('compliance.exempt')}</Button>
            </div>
          )
        )}
      </div>
    </Dialog>
  );
}
