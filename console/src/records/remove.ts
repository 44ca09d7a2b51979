import { navigate } from '../app/router';
import { request } from '../data/client';
import { t } from '../i18n/i18n';
import { shownName } from '../i18n/names';
import { tell, tellFault } from '../ui/toast';
import { type RecordType, recordAddress, type Stored } from './record-type';

/** Deletes a record, shows its list, and offers to undo. */
export async function removeRecord<Row extends Stored>(type: RecordType<Row>, row: Row): Promise<void> {
  const { operations, folder, nameOf } = type;
  const outcome = await request(operations.remove, { id: row.id, ifVersion: row.version });
  if (!outcome.ok) return tellFault(outcome.fault);
  navigate(folder);
  tell(t('common.deleted', { name: shownName(nameOf(row)) }), async () => {
    const restored = await request(operations.restore, { id: row.id });
    if (!restored.ok) return tellFault(restored.fault);
    navigate(recordAddress(type, row.id));
    tell(t('common.undone'));
  });
}
