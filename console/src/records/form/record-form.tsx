import { caller, hasTeams } from '../../app/session';
import { request } from '../../data/client';
import type { RecordKind } from '../../generated/types';
import { t } from '../../i18n/i18n';
import { tell } from '../../ui/toast';
import type { FieldSpec, Stored, WritingDocuments } from '../record-type';
import { Form } from './form';

interface RecordFormProps<Row> {
  readonly kind: RecordKind;
  readonly fields: readonly FieldSpec<Row>[];
  readonly documents: Pick<WritingDocuments, 'create' | 'update'>;
  /** True if it belongs to the organization rather than to a workspace. */
  readonly isOutsideTeams?: boolean;
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
export function RecordForm<Row extends Stored>({ row, ...props }: RecordFormProps<Row>) {
  const { kind, fields, documents, isOutsideTeams = false } = props;
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
          ? await request(documents.update, { id: base.id, ifVersion: base.version, input })
          : await request(documents.create, {
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
