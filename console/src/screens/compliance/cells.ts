import { type Check, type CheckedHolder, checkText, dateText } from '../../compliance/checks';
import type { DataOf } from '../../data/client';
import type { ComplianceMatrix, RequirementColumns } from '../../generated/operations/compliance';
import type { HolderKind } from '../../generated/types';
import { joinNames, shownName } from '../../i18n/names';

/** A record with the states of what it must have. */
export type MatrixRow = DataOf<typeof ComplianceMatrix>['list']['nodes'][number];

/** A requirement as a column. */
export type RequirementColumn = DataOf<typeof RequirementColumns>['requirements']['nodes'][number];

/** A column of the matrix. Requirements of several workspaces with the same name share one. */
export interface MatrixColumn {
  readonly id: string;
  readonly name: string | null;
  readonly of: readonly RequirementColumn[];
}

/** Makes the columns of requirements, each of which has at most one of each workspace. */
export function columnsOf(required: readonly RequirementColumn[]): readonly MatrixColumn[] {
  const columns = new Map<string, { id: string; name: string | null; of: RequirementColumn[] }>();
  const places = new Map<string, number>();
  for (const one of required) {
    const inTeam = JSON.stringify([one.name, one.team?.id]);
    const place = places.get(inTeam) ?? 0;
    places.set(inTeam, place + 1);
    const key = JSON.stringify([one.name, place]);
    const column = columns.get(key);
    if (column) column.of.push(one);
    else columns.set(key, { id: one.id, name: one.name, of: [one] });
  }
  return [...columns.values()];
}

/** Returns the requirement of a column that a check is about. */
export const requirementOf = ({ of }: MatrixColumn, { requirementId }: Check) =>
  of.find(({ id }) => id === requirementId);

/** The rows and columns of a matrix, and what stands in its cells. */
export interface Matrix {
  readonly kind: HolderKind;
  readonly rows: readonly MatrixRow[];
  readonly columns: readonly MatrixColumn[];
  readonly checkAt: (row: MatrixRow, column: MatrixColumn) => Check | undefined;
}

/** Returns the state of a record, computed for this answer if possible. */
export const stateOfRow = ({ state, compliance }: MatrixRow) => compliance?.state ?? state;

/** Names a column, with its workspace if another one has the same name. */
export function nameOfColumn({ id, name, of }: MatrixColumn, all: readonly MatrixColumn[]) {
  const isUnique = all.every((other) => other.id === id || other.name !== name);
  return isUnique ? shownName(name) : joinNames(shownName(name), ...of.map(({ team }) => team?.name));
}

/** Returns what stands in a cell, in words. */
export const cellText = (check: Check | undefined) =>
  check ? joinNames(checkText(check), dateText(check)) : '';

/** Returns the record of a row, as its documents name it. */
export const holderOf = ({ holderKind, holderId, team }: MatrixRow): CheckedHolder => ({
  kind: holderKind,
  id: holderId,
  team,
});
