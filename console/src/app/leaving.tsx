import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../i18n/i18n';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';

/** Forms with unsaved input. */
const unkept = new Set<object>();

/** The navigation that waits for the person's answer. */
const asked = signal<(() => void) | undefined>(undefined);

/** Warns people before they lose unsaved input in a form. */
export function useUnkept(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return;
    const form = {};
    unkept.add(form);
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => {
      unkept.delete(form);
      window.removeEventListener('beforeunload', ask);
    };
  }, [isChanged]);
}

/** Returns whether the screen may be left; otherwise asks the person. @param goOn is called if they agree */
export function mayLeave(goOn: () => void): boolean {
  if (unkept.size === 0) return true;
  asked.value = () => {
    unkept.clear();
    goOn();
  };
  return false;
}

/** Asks whether to discard unsaved input. */
export function LeaveDialog() {
  const goOn = asked.value;
  if (!goOn) return null;
  const close = () => {
    asked.value = undefined;
  };
  return (
    <Dialog title={t('common.leave')} onClose={close}>
      <div class="stack">
        <p>{t('common.leave_text')}</p>
        <div class="line">
          <Button weight="first" onClick={close}>
            {t('common.stay')}
          </Button>
          <Button
            weight="bad"
            onClick={() => {
              close();
              goOn();
            }}
          >
            {t('common.leave_anyway')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
