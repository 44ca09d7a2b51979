import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { ItemDate } from '../domain/reminders/policy.js';
import type { Language } from './mail.js';

/** Actions of links in mails. */
const actions = ['acknowledge', 'snooze', 'unsubscribe', 'renew', 'digest'] as const;
export type LinkAction = (typeof actions)[number];

/** Purpose of a link. Whoever has the link may do only this. */
export interface LinkPurpose {
  readonly action: LinkAction;
  readonly organizationId: string;
  /** The item that the mail was about; undefined for a digest as a whole. */
  readonly itemId: string | undefined;
  /** The kind of date that it was about: the expiration date if undefined. */
  readonly about?: ItemDate | undefined;
  /** The date at that time, `YYYY-MM-DD`. After a renewal the link no longer applies. */
  readonly date: string | undefined;
  /** Recipient of the mail, as the ledger identifies them. */
  readonly recipientKey: string;
}

/** Days for which a link is valid. */
const lifetimeDays = 60;
const dayMs = 86_400_000;

/** Bytes of the code (HMAC-SHA256, cut to 128 bits: RFC 2104 section 5). */
const codeLength = 16;

function codeOf(key: KeyObject, body: string): Buffer {
  return createHmac('sha256', key).update(body).digest().subarray(0, codeLength);
}

/**
 * Creates the token of a link. The token contains its purpose, so that nothing needs to be stored.
 * @param key used only for these links
 * @returns letters, digits, `-`, `_` and one `.`
 */
export function signLink(key: KeyObject, purpose: LinkPurpose, now: Date): string {
  const expires = Math.floor(now.getTime() / dayMs) + lifetimeDays;
  const { action, organizationId, itemId = '', date = '', recipientKey, about } = purpose;
  const fields = [actions.indexOf(action), expires, organizationId, itemId, date, recipientKey];
  if (about === 'NOTICE') fields.push(about);
  const body = Buffer.from(JSON.stringify(fields)).toString('base64url');
  return `${body}.${codeOf(key, body).toString('base64url')}`;
}

/** Maximum characters of a token. An address has 320, and each may take several bytes. */
const longestToken = 4_096;

/**
 * Reads the token of a link.
 * @returns undefined for one that was not created with this key, or has expired
 */
export function readLink(key: KeyObject, token: string, now: Date): LinkPurpose | undefined {
  if (token.length > longestToken) return undefined;
  const [body = '', code = '', ...rest] = token.split('.');
  const given = Buffer.from(code, 'base64url');
  const expected = codeOf(key, body);
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) {
    return undefined;
  }
  const [action, expires, organizationId, itemId, date, recipientKey, about] = JSON.parse(
    Buffer.from(body, 'base64url').toString(),
  ) as [number, number, string, string, string, string, ItemDate | undefined];
  const known = actions[action];
  if (!known || now.getTime() >= (expires + 1) * dayMs) return undefined;
  return {
    ...{ action: known, organizationId, recipientKey },
    ...{ itemId: itemId || undefined, date: date || undefined, about },
  };
}

/** Reasons for which a renewal is refused. The typed date is none or too early, or the item itself is not valid. */
export type RenewalProblem = 'none' | 'earlier' | 'invalid';

/** Ways to get reminders that a page offers. */
type DigestChoice = 'DAILY' | 'WEEKLY' | 'SINGLE';

/** Texts of the pages of mail links, in one language. */
interface LinkTexts {
  readonly acknowledge: { readonly text: string; readonly button: string; readonly done: string };
  readonly snooze: {
    readonly text: string;
    /** Says that all days that are offered are after the date. */
    readonly after: string;
    readonly button: { readonly one: string; readonly other: string };
    readonly done: string;
  };
  readonly unsubscribe: {
    readonly text: string;
    readonly button: string;
    /** Button for this item only. */
    readonly only: string;
    readonly done: string;
    readonly undo: string;
    readonly undone: string;
  };
  readonly renew: {
    readonly text: string;
    /** Label of the date. */
    readonly until: string;
    readonly button: string;
    readonly done: string;
    readonly already: string;
  } & Readonly<Record<RenewalProblem, string>>;
  readonly digest: {
    readonly text: string;
    /** Buttons, and what is said once one was pressed. */
    readonly button: Readonly<Record<DigestChoice, string>>;
    readonly done: Readonly<Record<DigestChoice, string>>;
  };
  readonly changed: string;
  readonly unknown: string;
}

const en: LinkTexts = {
  acknowledge: {
    text: 'Reminders of this date stop repeating once you say that you will take care of it.',
    button: 'I’ll take care of it',
    done: 'Noted: you will take care of it.',
  },
  snooze: {
    text: 'When do you want to be reminded again? Until then, you get no reminders of this date. Others do.',
    after: 'All of these days are after the date.',
    button: { one: 'In {{count}} day', other: 'In {{count}} days' },
    done: 'You will be reminded again on {{date}}.',
  },
  unsubscribe: {
    text: '{{organization}} sends reminders to your address.',
    button: 'Stop all reminders',
    only: 'Stop reminders of {{name}} only',
    done: 'You will get no more of these mails.',
    undo: 'Undo',
    undone: 'You will get reminders again.',
  },
  renew: {
    text: 'Until when is it valid now? The date is a proposal, which you can change.',
    until: 'It was renewed until',
    button: 'Save the renewal',
    done: 'Noted: it was renewed until {{date}}.',
    already: 'It was renewed already. Its date is {{date}} now.',
    none: 'Enter a date, such as {{date}}.',
    earlier: 'The new date must be later than {{date}}.',
    invalid:
      'Nothing was saved, because something else in this entry has to be corrected first. Please tell {{organization}}.',
  },
  digest: {
    text: 'How often do you want mails with reminders from {{organization}}?',
    button: { DAILY: 'One mail a day', WEEKLY: 'One mail a week', SINGLE: 'A mail for each item' },
    done: {
      DAILY: 'You now get one mail a day.',
      WEEKLY: 'You now get one mail a week.',
      SINGLE: 'You now get a mail for each item.',
    },
  },
  changed:
    'The date has changed since this mail was sent. Nothing was done: the new date has its own reminders.',
  unknown: 'This link does not work: it is too old or incomplete, or what it was about has ended.',
};

const de: LinkTexts = {
  acknowledge: {
    text: 'Erinnerungen an dieses Datum werden nicht wiederholt, sobald Sie sagen, dass Sie sich kümmern.',
    button: 'Ich kümmere mich darum',
    done: 'Vermerkt: Sie kümmern sich darum.',
  },
  snooze: {
    text: 'Wann möchten Sie wieder erinnert werden? Bis dahin erhalten Sie keine Erinnerungen an dieses Datum, andere schon.',
    after: 'Alle diese Tage liegen nach dem Datum.',
    button: { one: 'In {{count}} Tag', other: 'In {{count}} Tagen' },
    done: 'Sie werden am {{date}} wieder erinnert.',
  },
  unsubscribe: {
    text: '{{organization}} sendet Erinnerungen an Ihre Adresse.',
    button: 'Alle Erinnerungen abbestellen',
    only: 'Nur Erinnerungen an {{name}} abbestellen',
    done: 'Sie erhalten diese Mails nicht mehr.',
    undo: 'Rückgängig machen',
    undone: 'Sie erhalten wieder Erinnerungen.',
  },
  renew: {
    text: 'Bis wann ist es jetzt gültig? Das Datum ist ein Vorschlag, den Sie ändern können.',
    until: 'Erneuert bis',
    button: 'Erneuerung speichern',
    done: 'Vermerkt: erneuert bis {{date}}.',
    already: 'Es wurde bereits erneuert. Das Datum ist jetzt {{date}}.',
    none: 'Geben Sie ein Datum ein, etwa {{date}}.',
    earlier: 'Das neue Datum muss nach dem {{date}} liegen.',
    invalid:
      'Es wurde nichts gespeichert, weil an diesem Eintrag zuerst etwas anderes zu berichtigen ist. Bitte sagen Sie es {{organization}}.',
  },
  digest: {
    text: 'Wie oft möchten Sie Mails mit Erinnerungen von {{organization}}?',
    button: {
      DAILY: 'Eine Mail am Tag',
      WEEKLY: 'Eine Mail pro Woche',
      SINGLE: 'Eine Mail für jeden Eintrag',
    },
    done: {
      DAILY: 'Sie erhalten nun eine Mail am Tag.',
      WEEKLY: 'Sie erhalten nun eine Mail pro Woche.',
      SINGLE: 'Sie erhalten nun eine Mail für jeden Eintrag.',
    },
  },
  changed:
    'Das Datum hat sich geändert, seit diese Mail gesendet wurde. Es wurde nichts getan: Das neue Datum hat eigene Erinnerungen.',
  unknown:
    'Dieser Link funktioniert nicht: Er ist zu alt oder unvollständig, oder es gibt nicht mehr, worum es ging.',
};

const es: LinkTexts = {
  acknowledge: {
    text: 'Los recordatorios de esta fecha no se repiten cuando usted indica que se encarga.',
    button: 'Yo me encargo',
    done: 'Anotado: usted se encarga.',
  },
  snooze: {
    text: '¿Cuándo quiere que se le recuerde de nuevo? Hasta entonces no recibirá recordatorios de esta fecha; los demás, sí.',
    after: 'Todos estos días son posteriores a la fecha.',
    button: { one: 'En {{count}} día', other: 'En {{count}} días' },
    done: 'Se le recordará de nuevo el {{date}}.',
  },
  unsubscribe: {
    text: '{{organization}} envía recordatorios a su dirección.',
    button: 'No recibir más recordatorios',
    only: 'No recibir más recordatorios de {{name}}',
    done: 'Ya no recibirá estos correos.',
    undo: 'Deshacer',
    undone: 'Recibirá recordatorios de nuevo.',
  },
  renew: {
    text: '¿Hasta cuándo es válido ahora? La fecha es una propuesta que puede cambiar.',
    until: 'Se renovó hasta el',
    button: 'Guardar la renovación',
    done: 'Anotado: se renovó hasta el {{date}}.',
    already: 'Ya se había renovado. Su fecha es ahora {{date}}.',
    none: 'Indique una fecha, por ejemplo {{date}}.',
    earlier: 'La nueva fecha debe ser posterior al {{date}}.',
    invalid:
      'No se ha guardado nada, porque antes hay que corregir otra cosa en este elemento. Avise a {{organization}}.',
  },
  digest: {
    text: '¿Con qué frecuencia desea correos con recordatorios de {{organization}}?',
    button: {
      DAILY: 'Un correo al día',
      WEEKLY: 'Un correo a la semana',
      SINGLE: 'Un correo por cada elemento',
    },
    done: {
      DAILY: 'Ahora recibe un correo al día.',
      WEEKLY: 'Ahora recibe un correo a la semana.',
      SINGLE: 'Ahora recibe un correo por cada elemento.',
    },
  },
  changed:
    'La fecha ha cambiado desde que se envió este correo. No se ha hecho nada: la nueva fecha tiene sus propios recordatorios.',
  unknown: 'Este enlace no funciona: es demasiado antiguo o está incompleto, o su asunto ha terminado.',
};

const fr: LinkTexts = {
  acknowledge: {
    text: 'Les rappels de cette date ne sont plus répétés dès que vous dites que vous vous en occupez.',
    button: "Je m'en occupe",
    done: 'C’est noté : vous vous en occupez.',
  },
  snooze: {
    text: 'Quand souhaitez-vous un nouveau rappel ? D’ici là, vous ne recevrez pas de rappels de cette date ; les autres, si.',
    after: 'Tous ces jours sont postérieurs à la date.',
    button: { one: 'Dans {{count}} jour', other: 'Dans {{count}} jours' },
    done: 'Vous recevrez un nouveau rappel le {{date}}.',
  },
  unsubscribe: {
    text: '{{organization}} envoie des rappels à votre adresse.',
    button: 'Ne plus recevoir de rappels',
    only: 'Ne plus recevoir de rappels de {{name}}',
    done: 'Vous ne recevrez plus ces messages.',
    undo: 'Annuler',
    undone: 'Vous recevrez de nouveau des rappels.',
  },
  renew: {
    text: 'Jusqu’à quand est-ce valable maintenant ? La date est une proposition que vous pouvez changer.',
    until: 'Renouvelé jusqu’au',
    button: 'Enregistrer le renouvellement',
    done: 'C’est noté : renouvelé jusqu’au {{date}}.',
    already: 'Le renouvellement a déjà été fait. La date est maintenant le {{date}}.',
    none: 'Saisissez une date, par exemple {{date}}.',
    earlier: 'La nouvelle date doit être postérieure au {{date}}.',
    invalid:
      'Rien n’a été enregistré, car il faut d’abord corriger autre chose dans cet élément. Veuillez le signaler à {{organization}}.',
  },
  digest: {
    text: 'À quelle fréquence souhaitez-vous les messages de rappel de {{organization}} ?',
    button: {
      DAILY: 'Un message par jour',
      WEEKLY: 'Un message par semaine',
      SINGLE: 'Un message par élément',
    },
    done: {
      DAILY: 'Vous recevez désormais un message par jour.',
      WEEKLY: 'Vous recevez désormais un message par semaine.',
      SINGLE: 'Vous recevez désormais un message par élément.',
    },
  },
  changed:
    'La date a changé depuis l’envoi de ce message. Rien n’a été fait : la nouvelle date a ses propres rappels.',
  unknown:
    'Ce lien ne fonctionne pas : il est trop ancien ou incomplet, ou ce dont il s’agissait est terminé.',
};

const it: LinkTexts = {
  acknowledge: {
    text: 'I promemoria di questa data non si ripetono quando dice che se ne occupa.',
    button: 'Me ne occupo io',
    done: 'Annotato: se ne occupa lei.',
  },
  snooze: {
    text: 'Quando desidera un nuovo promemoria? Fino ad allora non riceverà promemoria di questa data; gli altri sì.',
    after: 'Tutti questi giorni sono successivi alla data.',
    button: { one: 'Tra {{count}} giorno', other: 'Tra {{count}} giorni' },
    done: 'Riceverà un nuovo promemoria il {{date}}.',
  },
  unsubscribe: {
    text: '{{organization}} invia promemoria al suo indirizzo.',
    button: 'Non ricevere più promemoria',
    only: 'Non ricevere più promemoria di {{name}}',
    done: 'Non riceverà più questi messaggi.',
    undo: 'Annulla',
    undone: 'Riceverà di nuovo i promemoria.',
  },
  renew: {
    text: 'Fino a quando è valido ora? La data è una proposta che può cambiare.',
    until: 'Rinnovato fino al',
    button: 'Salva il rinnovo',
    done: 'Annotato: rinnovato fino al {{date}}.',
    already: 'È già stato rinnovato. La data ora è {{date}}.',
    none: 'Inserisca una data, per esempio {{date}}.',
    earlier: 'La nuova data deve essere successiva al {{date}}.',
    invalid:
      'Non è stato salvato nulla, perché prima va corretto altro in questo elemento. Lo segnali a {{organization}}.',
  },
  digest: {
    text: 'Con quale frequenza desidera i messaggi di promemoria di {{organization}}?',
    button: {
      DAILY: 'Un messaggio al giorno',
      WEEKLY: 'Un messaggio alla settimana',
      SINGLE: 'Un messaggio per ogni elemento',
    },
    done: {
      DAILY: 'Ora riceve un messaggio al giorno.',
      WEEKLY: 'Ora riceve un messaggio alla settimana.',
      SINGLE: 'Ora riceve un messaggio per ogni elemento.',
    },
  },
  changed:
    'La data è cambiata da quando è stato inviato questo messaggio. Non è stato fatto nulla: la nuova data ha i propri promemoria.',
  unknown:
    'Questo link non funziona: è troppo vecchio o incompleto, oppure ciò di cui si trattava è concluso.',
};

const nl: LinkTexts = {
  acknowledge: {
    text: 'Herinneringen aan deze datum worden niet herhaald zodra u zegt dat u ervoor zorgt.',
    button: 'Ik zorg ervoor',
    done: 'Genoteerd: u zorgt ervoor.',
  },
  snooze: {
    text: 'Wanneer wilt u weer herinnerd worden? Tot dan krijgt u geen herinneringen aan deze datum; anderen wel.',
    after: 'Al deze dagen zijn na de datum.',
    button: { one: 'Over {{count}} dag', other: 'Over {{count}} dagen' },
    done: 'U wordt op {{date}} weer herinnerd.',
  },
  unsubscribe: {
    text: '{{organization}} stuurt herinneringen naar uw adres.',
    button: 'Geen herinneringen meer',
    only: 'Geen herinneringen meer aan {{name}}',
    done: 'U krijgt deze mails niet meer.',
    undo: 'Ongedaan maken',
    undone: 'U krijgt weer herinneringen.',
  },
  renew: {
    text: 'Tot wanneer is het nu geldig? De datum is een voorstel dat u kunt wijzigen.',
    until: 'Verlengd tot',
    button: 'Verlenging opslaan',
    done: 'Genoteerd: verlengd tot {{date}}.',
    already: 'Het was al verlengd. De datum is nu {{date}}.',
    none: 'Vul een datum in, zoals {{date}}.',
    earlier: 'De nieuwe datum moet na {{date}} liggen.',
    invalid:
      'Er is niets opgeslagen, omdat in dit item eerst iets anders verbeterd moet worden. Meld het aan {{organization}}.',
  },
  digest: {
    text: 'Hoe vaak wilt u mails met herinneringen van {{organization}}?',
    button: { DAILY: 'Eén mail per dag', WEEKLY: 'Eén mail per week', SINGLE: 'Een mail voor elk item' },
    done: {
      DAILY: 'U krijgt nu één mail per dag.',
      WEEKLY: 'U krijgt nu één mail per week.',
      SINGLE: 'U krijgt nu een mail voor elk item.',
    },
  },
  changed:
    'De datum is veranderd sinds deze mail is verstuurd. Er is niets gedaan: de nieuwe datum heeft eigen herinneringen.',
  unknown: 'Deze link werkt niet: hij is te oud of onvolledig, of waar hij over ging is voorbij.',
};

/** Texts of the pages of links, by language. */
export const linkTexts: Readonly<Record<Language, LinkTexts>> = { de, en, es, fr, it, nl };
