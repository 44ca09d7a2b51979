import { useEffect, useState } from 'preact/hooks';
import { useQuery } from '../../data/answers';
import { request } from '../../data/client';
import type { Fault } from '../../data/fault';
import { CreateTeamExport, TeamExports } from '../../generated/operations/imports';
import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { SelectField } from '../../ui/field';
import { Card } from '../../ui/page';
import { FaultNote } from '../../ui/state';

/** Milliseconds between two looks at an export that is being made. */
const lookMs = 1_000;

interface ExportCardProps {
  readonly teams: readonly { readonly id: string; readonly name: string | null }[];
  /** Id of the person's own workspace. */
  readonly own: string;
}

/** Renders the export of a whole workspace. A worker makes it, and a link downloads it. */
export function ExportCard({ teams, own }: ExportCardProps) {
  const { data, fault, reload } = useQuery(TeamExports, {});
  const [team, setTeam] = useState(own);
  const [refusal, setRefusal] = useState<Fault>();
  const made = data?.teamExports.find(({ teamId }) => teamId === team);
  const isRunning = made?.state === 'RUNNING';
  useEffect(() => {
    if (!isRunning) return;
    const timer = setTimeout(() => void reload(), lookMs);
    return () => clearTimeout(timer);
  }, [data, fault]);
  async function begin() {
    const outcome = await request(CreateTeamExport, { teamId: team });
    setRefusal(outcome.ok ? undefined : outcome.fault);
    await reload();
  }
  const problem = refusal ?? fault;
  return (
    <Card title={t('imports.export')}>
      <div class="stack">
        <p class="soft small">{t('imports.export_hint')}</p>
        {teams.length > 1 && (
          <SelectField
            label={t('fields.team')}
            value={team}
            onChange={setTeam}
            choices={teams.map(({ id, name }) => ({ value: id, label: name ?? '' }))}
          />
        )}
        {isRunning && (
          <progress class="importbar" aria-label={t('imports.export')} max={100} value={made.progress} />
        )}
        {made?.error && <p role="alert">{made.error}</p>}
        {problem && <FaultNote fault={problem} onRetry={reload} />}
        <div class="line">
          <Button icon="renew" isBusy={isRunning} onClick={begin}>
            {t('imports.export')}
          </Button>
          {made?.downloadUrl && (
            <a class="button first" href={made.downloadUrl} download>
              {t('imports.download', { n: Math.max(1, Math.round(Number(made.size) / 1024)) })}
            </a>
          )}
        </div>
      </div>
    </Card>
  );
}
