import type { Pages } from '../data/pages';
import { t } from '../i18n/i18n';
import { Button } from '../ui/button';

/** Renders how much of a list is shown, with a button for more. */
export function ListFoot<Row>({ list }: { readonly list: Pages<Row> }) {
  const { rows, totalCount = 0, hasMore, more, isLoadingMore } = list;
  if (rows.length === 0) return null;
  return (
    <div class="line far listfoot">
      <span class="soft small" role="status">
        {t('common.of_total', { shown: rows.length, total: totalCount })}
      </span>
      {hasMore && (
        <Button onClick={more} isBusy={isLoadingMore}>
          {t('common.more_rows')}
        </Button>
      )}
    </div>
  );
}
