import type { Language } from './languages.js';

/** Texts of the mails in one language. `{{when}}` is replaced by something like "in 7 days". */
export interface ReminderTexts {
  /** Title of a mail about one item: before its date, on it, after it. */
  readonly expires: string;
  readonly expired: string;
  /** Titles of a digest, by the plural form of its number. */
  readonly digest: { readonly one: string; readonly other: string };
  /** Line of a digest that does not list all items. */
  readonly more: string;
  readonly fields: {
    readonly date: string;
    readonly type: string;
    readonly workspace: string;
    readonly assignee: string;
    readonly details: string;
  };
  readonly links: {
    readonly open: string;
    readonly acknowledge: string;
    readonly snooze: string;
    readonly unsubscribe: string;
  };
  /** Sentence that explains why the recipient gets it. */
  readonly reason: string;
  /** Title and sentence of a test mail that an administrator sends. */
  readonly test: { readonly subject: string; readonly text: string };
}

const en: ReminderTexts = {
  expires: '{{name}} expires {{when}}',
  expired: '{{name}} expired {{when}}',
  digest: { one: '{{count}} document needs attention', other: '{{count}} documents need attention' },
  more: 'And {{count}} more.',
  fields: {
    date: 'Expires',
    type: 'Document type',
    workspace: 'Workspace',
    assignee: 'Assigned to',
    details: 'Details',
  },
  links: {
    open: 'Open',
    acknowledge: 'I’ll take care of it',
    snooze: 'Remind me later',
    unsubscribe: 'Stop these mails',
  },
  reason: 'You are receiving this mail because reminders of “{{workspace}}” are sent to your address.',
  test: {
    subject: 'Mail works',
    text: 'This is a test mail. Reminders of things that expire will reach you the same way.',
  },
};

const de: ReminderTexts = {
  expires: '{{name}} läuft {{when}} ab',
  expired: '{{name}} ist {{when}} abgelaufen',
  digest: {
    one: '{{count}} Dokument braucht Aufmerksamkeit',
    other: '{{count}} Dokumente brauchen Aufmerksamkeit',
  },
  more: 'Und {{count}} weitere.',
  fields: {
    date: 'Läuft ab am',
    type: 'Dokumentart',
    workspace: 'Arbeitsbereich',
    assignee: 'Zuständig',
    details: 'Einzelheiten',
  },
  links: {
    open: 'Öffnen',
    acknowledge: 'Ich kümmere mich darum',
    snooze: 'Später erinnern',
    unsubscribe: 'Diese Mails abbestellen',
  },
  reason: 'Sie erhalten diese Mail, weil Erinnerungen von „{{workspace}}“ an Ihre Adresse gehen.',
  test: {
    subject: 'Mail funktioniert',
    text: 'Diese Mail wurde gesendet, um die Einstellungen zu prüfen. So erreichen Sie Erinnerungen an das, was abläuft.',
  },
};

const es: ReminderTexts = {
  expires: '{{name}} caduca {{when}}',
  expired: '{{name}} caducó {{when}}',
  digest: { one: '{{count}} documento requiere atención', other: '{{count}} documentos requieren atención' },
  more: 'Y {{count}} más.',
  fields: {
    date: 'Caduca el',
    type: 'Tipo de documento',
    workspace: 'Espacio de trabajo',
    assignee: 'Asignado a',
    details: 'Detalles',
  },
  links: {
    open: 'Abrir',
    acknowledge: 'Yo me encargo',
    snooze: 'Recordar más tarde',
    unsubscribe: 'No recibir más estos correos',
  },
  reason: 'Recibe este correo porque los recordatorios de «{{workspace}}» se envían a su dirección.',
  test: {
    subject: 'El correo funciona',
    text: 'Este correo se envió para probar la configuración. Así le llegarán los recordatorios de lo que caduca.',
  },
};

const fr: ReminderTexts = {
  expires: '{{name}} expire {{when}}',
  expired: '{{name}} a expiré {{when}}',
  digest: {
    one: '{{count}} document demande votre attention',
    other: '{{count}} documents demandent votre attention',
  },
  more: 'Et {{count}} de plus.',
  fields: {
    date: 'Expire le',
    type: 'Type de document',
    workspace: 'Espace de travail',
    assignee: 'Attribué à',
    details: 'Détails',
  },
  links: {
    open: 'Ouvrir',
    acknowledge: 'Je m’en occupe',
    snooze: 'Me le rappeler plus tard',
    unsubscribe: 'Ne plus recevoir ces messages',
  },
  reason: 'Vous recevez ce message car les rappels de « {{workspace}} » sont envoyés à votre adresse.',
  test: {
    subject: 'L’envoi de messages fonctionne',
    text: 'Ce message a été envoyé pour vérifier les réglages. Les rappels de ce qui expire vous parviendront ainsi.',
  },
};

const it: ReminderTexts = {
  expires: '{{name}} scade {{when}}',
  expired: '{{name}} è scaduto {{when}}',
  digest: {
    one: '{{count}} documento richiede attenzione',
    other: '{{count}} documenti richiedono attenzione',
  },
  more: 'E altri {{count}}.',
  fields: {
    date: 'Scade il',
    type: 'Tipo di documento',
    workspace: 'Area di lavoro',
    assignee: 'Assegnato a',
    details: 'Dettagli',
  },
  links: {
    open: 'Apri',
    acknowledge: 'Me ne occupo io',
    snooze: 'Ricordamelo più tardi',
    unsubscribe: 'Non ricevere più questi messaggi',
  },
  reason: 'Riceve questo messaggio perché i promemoria di «{{workspace}}» vengono inviati al suo indirizzo.',
  test: {
    subject: 'La posta funziona',
    text: 'Questo messaggio è stato inviato per provare le impostazioni. I promemoria di ciò che scade arriveranno così.',
  },
};

const nl: ReminderTexts = {
  expires: '{{name}} verloopt {{when}}',
  expired: '{{name}} is {{when}} verlopen',
  digest: { one: '{{count}} document vraagt aandacht', other: '{{count}} documenten vragen aandacht' },
  more: 'En nog {{count}}.',
  fields: {
    date: 'Verloopt op',
    type: 'Documenttype',
    workspace: 'Werkruimte',
    assignee: 'Toegewezen aan',
    details: 'Bijzonderheden',
  },
  links: {
    open: 'Openen',
    acknowledge: 'Ik regel het',
    snooze: 'Later herinneren',
    unsubscribe: 'Deze mails stoppen',
  },
  reason: 'U krijgt deze mail omdat herinneringen van “{{workspace}}” naar uw adres gaan.',
  test: {
    subject: 'Mail werkt',
    text: 'Deze mail is gestuurd om de instellingen te proberen. Zo bereiken herinneringen aan wat verloopt u.',
  },
};

/** Texts of reminders in every language. */
export const reminderTexts: Readonly<Record<Language, ReminderTexts>> = { en, de, es, fr, it, nl };
