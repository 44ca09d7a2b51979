import { addressOf } from '../../app/addresses';
import { may } from '../../app/session';
import { HolderState } from '../../compliance/checks';
import { CheckLine } from '../../compliance/papers';
import { t } from '../../i18n/i18n';
import { shownName } from '../../i18n/names';
import type { Selection } from '../../list/selection';
import { holderOf, type Matrix, nameOfColumn, requirementOf, stateOfRow } from './cells';
import { Tick } from './matrix';

/** Renders records as cards, with what needs attention. What is valid is named at the end. */
export function Cards({ rows, columns, checkAt, selection }: Matrix & { readonly selection: Selection }) {
  return (
    <ul class="matrixcards">
      {rows.map((row, at) => {
        const checks = columns.flatMap((column) => {
          const check = checkAt(row, column);
          const requirement = check && requirementOf(column, check);
          return check && requirement ? [{ column, check, requirement }] : [];
        });
        const valid = checks.filter(({ check }) => check.state === 'MET');
        const others = checks.filter(({ check }) => check.state !== 'MET');
        return (
          <li key={row.id} class="card">
            <div class="line far">
              {may('WRITE') && (
                <Tick
                  row={row}
                  selection={selection}
                  onToggle={() =>
                    selection.toggle(
                      rows.map(({ id }) => id),
                      at,
                    )
                  }
                />
              )}
              <a class="strong breaks grow" href={addressOf(row.holderKind, row.holderId)}>
                {shownName(row.name)}
              </a>
              <HolderState state={stateOfRow(row)} />
            </div>
            <ul class="rows">
              {others.map(({ column, check, requirement }) => (
                <CheckLine key={column.id} holder={holderOf(row)} check={check} required={requirement} />
              ))}
            </ul>
            {valid.length > 0 && (
              <p class="soft small breaks">
                {t('compliance.MET')}: {valid.map(({ column }) => nameOfColumn(column, columns)).join(', ')}
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
}
