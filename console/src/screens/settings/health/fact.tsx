import type { ComponentChildren } from 'preact';
import type { DataOf } from '../../../data/operation';
import type { Health } from '../../../generated/operations/health';
import { type Key, t } from '../../../i18n/i18n';
import { Badge, type Urgency } from '../../../ui/status';

/** State of the gateway, as administrators see it. */
export type HealthData = DataOf<typeof Health>;

/** The part of it that only administrators may ask for. */
export type GatewayData = NonNullable<HealthData['gatewayHealth']>;

interface HealthFactProps {
  readonly title: Key;
  readonly state: Urgency;
  /** Sentences that say what the state means, and what to do. */
  readonly children: ComponentChildren;
}

/** Renders the state of one part of the gateway. */
export function HealthFact({ title, state, children }: HealthFactProps) {
  return (
    <section class="healthfact">
      <h2>{t(title)}</h2>
      <Badge urgency={state}>{t(`health.state_${state}`)}</Badge>
      <div class="stack tight">{children}</div>
    </section>
  );
}

/** Renders settings or a command as they are typed. */
export function Typed({ text }: { readonly text: string }) {
  return <pre class="typed">{text}</pre>;
}
