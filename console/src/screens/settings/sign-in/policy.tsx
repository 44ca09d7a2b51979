import { useQuery } from '../../../data/answers';
import { request } from '../../../data/client';
import { inWords } from '../../../data/fault';
import { SignInPolicy, UpdateSignInPolicy } from '../../../generated/operations/settings';
import type { SignInPolicyRowFragment, SignInWay } from '../../../generated/types';
import { t } from '../../../i18n/i18n';
import { Form } from '../../../records/form/form';
import type { FieldSpec } from '../../../records/record-type';
import { Bones, FaultNote } from '../../../ui/state';
import { tell } from '../../../ui/toast';
import { sendConfirmed } from './confirm';

const ways: readonly SignInWay[] = ['PASSWORD', 'PASSKEY', 'LINK', 'OIDC'];

/** Lists what a policy decides. */
function fieldsOf({ possibleWays }: SignInPolicyRowFragment): readonly FieldSpec<SignInPolicyRowFragment>[] {
  const wordsOf = (way: SignInWay) =>
    possibleWays.includes(way)
      ? t(`signIn.way_${way}`)
      : `${t(`signIn.way_${way}`)} – ${t('signIn.way_impossible')}`;
  return [
    {
      type: 'choices',
      name: 'ways',
      label: 'signIn.policy_ways',
      choices: ways.map((value) => ({ value, words: wordsOf(value) })),
    },
    { type: 'check', name: 'secondFactorRequired', label: 'signIn.policy_factor', isWide: true },
    {
      type: 'check',
      name: 'issuerAlone',
      label: 'signIn.policy_issuer',
      isWide: true,
      isShown: () => possibleWays.includes('OIDC'),
    },
  ];
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
      {policy && (
        <Form
          fields={fieldsOf(policy)}
          row={policy}
          send={async (input) => {
            const outcome = await sendConfirmed(() => request(UpdateSignInPolicy, { input }));
            return outcome && inWords(outcome, { ways: t('signIn.policy_no_way') });
          }}
          onDone={async () => {
            await reload();
            tell(t('common.saved'));
          }}
        />
      )}
      <p class="soft small">{t('signIn.policy_ends')}</p>
    </section>
  );
}
