import { type Check, type CheckedHolder, checkText, dateText } from '../../compliance/checks';
import type { DataOf } from '../../data/client';
import type { ComplianceMatrix, RequirementColumns } from '../../generated/operations/compliance';
import type { HolderKind } from '../../generated/types';
import { joinNames, shownName } from '../../i18n/names';

/** A record with the states of what it must have. */
export type MatrixRow = DataOf<typeof ComplianceMatrix>['list']['nodes'][number];

/** A requirement as a column. */
export type RequirementColumn = DataOf<typeof RequirementColumns>['requirements']['nodes'][number];

/** The rows and columns of a matrix, and what stands in its cells. */
export interface Matrix {
  readonly kind: HolderKind;
  readonly rows: readonly MatrixRow[];
  readonly required: readonly RequirementColumn[];
  readonly checkAt: (row: MatrixRow, required: RequirementColumn) => Check | undefined;
}

/** Returns the state of a record, computed for this answer if possible. */
export const stateOfRow = ({ state, compliance }: MatrixRow) => compliance?.state ?? state;

/** Names a requirement, with its workspace if another one has the same name. */
export function nameOfColumn({ id, name, team }: RequirementColumn, all: readonly RequirementColumn[]) {
  const isUnique = all.every((other) => other.id === id || other.name !== name);
  return isUnique ? shownName(name) : joinNames(shownName(name), team?.name);
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
