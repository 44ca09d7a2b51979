import { useEffect, useState } from 'preact/hooks';
import { shownFrom } from '../data/answers';
import { isUnconfirmed } from '../data/keeping';
import { formatMoment } from '../i18n/dates';
import { t } from '../i18n/i18n';

function useOnline(): boolean {
  const [online, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const look = () => setOnline(navigator.onLine);
    window.addEventListener('online', look);
    window.addEventListener('offline', look);
    return () => {
      window.removeEventListener('online', look);
      window.removeEventListener('offline', look);
    };
  }, []);
  return online;
}

/** Renders on each screen that there is no connection, and how old its data is. */
export function Offline() {
  const online = useOnline();
  const from = shownFrom.value;
  if (online && from === undefined && !isUnconfirmed.value) return null;
  return (
    <p class="offline" role="status">
      {from === undefined
        ? t('fault.no_connection')
        : t('fault.no_connection_since', { when: formatMoment(new Date(from).toISOString()) })}
    </p>
  );
}
