import { useState } from 'preact/hooks';
import { useQuery } from '../../../data/answers';
import { request } from '../../../data/client';
import type { Fault } from '../../../data/fault';
import { SignInPolicy, UpdateSignInPolicy } from '../../../generated/operations/settings';
import type { SignInPolicyRowFragment, SignInWay } from '../../../generated/types';
import { t } from '../../../i18n/i18n';
import { Button } from '../../../ui/button';
import { Check } from '../../../ui/field';
import { Bones, FaultNote } from '../../../ui/state';
import { tell } from '../../../ui/toast';
import { sendConfirmed } from './confirm';

const ways: readonly SignInWay[] = ['PASSWORD', 'PASSKEY', 'LINK', 'OIDC'];

function PolicyForm({
  policy,
  onDone,
}: {
  readonly policy: SignInPolicyRowFragment;
  readonly onDone: () => unknown;
}) {
  const [allowed, setAllowed] = useState<readonly SignInWay[]>(policy.ways);
  const [secondFactorRequired, setRequired] = useState(policy.secondFactorRequired);
  const [issuerAlone, setAlone] = useState(policy.issuerAlone);
  const [fault, setFault] = useState<Fault>();
  const { possibleWays } = policy;
  const isWrong = fault?.violations.has('ways');
  async function submit(event: Event) {
    event.preventDefault();
    const input = { ways: [...allowed], secondFactorRequired, issuerAlone };
    const outcome = await sendConfirmed(() => request(UpdateSignInPolicy, { input }));
    if (!outcome) return;
    setFault(outcome.ok ? undefined : outcome.fault);
    if (!outcome.ok) return;
    tell(t('common.saved'));
    onDone();
  }
  return (
    <form class="stack" noValidate onSubmit={submit}>
      {fault && !isWrong && <FaultNote fault={fault} />}
      <fieldset class="memberships">
        <legend class="label">{t('signIn.policy_ways')}</legend>
        {ways.map((way) => (
          <Check
            key={way}
            label={
              <>
                {t(`signIn.way_${way}`)}
                {!possibleWays.includes(way) && <span class="soft"> – {t('signIn.way_impossible')}</span>}
              </>
            }
            checked={allowed.includes(way)}
            onChange={(isOn) => setAllowed(isOn ? [...allowed, way] : allowed.filter((one) => one !== way))}
          />
        ))}
        {isWrong && (
          <p class="late-text" role="alert">
            {t('signIn.policy_no_way')}
          </p>
        )}
      </fieldset>
      <Check label={t('signIn.policy_factor')} checked={secondFactorRequired} onChange={setRequired} />
      {possibleWays.includes('OIDC') && (
        <Check label={t('signIn.policy_issuer')} checked={issuerAlone} onChange={setAlone} />
      )}
      <p class="soft small">{t('signIn.policy_ends')}</p>
      <div>
        <Button type="submit" weight="first">
          {t('common.save')}
        </Button>
      </div>
    </form>
  );
}

/** Renders how people of the organization may sign in. */
export function PolicyCard() {
  const { data, fault, reload } = useQuery(SignInPolicy, {});
  const policy = data?.organization.signInPolicy;
  return (
    <section class="card narrow stack">
      <h2>{t('signIn.policy')}</h2>
      {fault && <FaultNote fault={fault} onRetry={reload} />}
      {!policy && !fault && <Bones rows={5} />}
      {policy && <PolicyForm key={JSON.stringify(policy)} policy={policy} onDone={reload} />}
    </section>
  );
}
