import { useState } from 'preact/hooks';
import { t } from '../../i18n/i18n';
import { enterConsole } from './entry';
import { DoorFrame } from './frame';
import type { SecondFactor } from './options';
import { SecondFactorForm } from './second-factor';
import { LinkOver } from './trouble';

/** Renders the page that asks for a second factor after a link. */
export function SecondStep({
  lead,
  factors,
}: {
  readonly lead: string;
  readonly factors: readonly SecondFactor[];
}) {
  const [isLate, setLate] = useState(false);
  return (
    <DoorFrame title={t('door.second_title')} lead={lead}>
      {isLate ? (
        <LinkOver text={t('session.late')} />
      ) : (
        <SecondFactorForm
          factors={factors}
          onDone={enterConsole}
          onLate={() => setLate(true)}
          onStartOver={enterConsole}
        />
      )}
    </DoorFrame>
  );
}
