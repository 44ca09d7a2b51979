import { caller, hasTeams } from '../../app/session';
import { request } from '../../data/client';
import { t } from '../../i18n/i18n';
import { tell } from '../../ui/toast';
import type { FieldSpec, RecordType, Stored } from '../record-type';
import { Form } from './form';

interface RecordFormProps<Row> {
  readonly type: RecordType<Row>;
  /** The current record; undefined for a new one. */
  readonly row?: Row;
  readonly onDone: (id: string) => void;
  readonly onCancel: () => void;
  readonly onOutdated?: () => unknown;
}

/** Returns the field with the workspace of a new record. */
function teamField<Row>(): FieldSpec<Row> {
  const teams = caller.value?.me.teams ?? [];
  return {
    type: 'choice',
    name: 'teamId',
    isNeeded: true,
    choices: teams.map(({ id, name }) => ({ value: id, words: name })),
  };
}

/** Renders the form of a record. It sends the changes, with the version that it started from. */
export function RecordForm<Row extends Stored>({ type, row, ...props }: RecordFormProps<Row>) {
  const { kind, fields, operations, isOutsideTeams } = type;
  const { onDone, onCancel, onOutdated } = props;
  const team = caller.value?.me.team?.id ?? '';
  const isTeamAsked = !row && hasTeams() && !isOutsideTeams;
  return (
    <Form
      kind={kind}
      fields={isTeamAsked ? [...fields, teamField<Row>()] : fields}
      {...(row ? { row } : { isFocused: true, initial: { teamId: team } })}
      send={async (input, base) => {
        const outcome = base
          ? await request(operations.update, { id: base.id, ifVersion: base.version, input })
          : await request(operations.create, {
              input: { ...(!isOutsideTeams && team && { teamId: team }), ...input },
            });
        return outcome.ok ? { ok: true, data: outcome.data.record?.id ?? base?.id ?? '' } : outcome;
      }}
      onDone={(id) => {
        tell(t('common.saved'));
        onDone(id);
      }}
      onCancel={onCancel}
      {...(onOutdated && { onOutdated })}
    />
  );
}
