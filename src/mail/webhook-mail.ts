import { fillTemplate, isolate, type Language, type MailContent, renderMail, shownName } from './mail.js';

/** Cause for which an endpoint was disabled. */
export type DisabledCause = 'gone' | 'failing';

/** Texts of mails about a webhook endpoint that was disabled, in one language. */
interface WebhookTexts {
  readonly title: string;
  readonly causes: Readonly<Record<DisabledCause, string>>;
  readonly fields: { readonly cause: string; readonly host: string };
  readonly action: string;
  /** Sentence about what to do, and why the recipient gets the mail. */
  readonly reason: string;
}

/** Texts of mails about a webhook endpoint that was disabled, in every language. */
const webhookTexts: Readonly<Record<Language, WebhookTexts>> = {
  en: {
    title: 'Webhook {{name}} was disabled',
    causes: { gone: 'It asked for no more messages.', failing: 'It accepted no message for five days.' },
    fields: { cause: 'Reason', host: 'Receiver' },
    action: 'Show webhooks',
    reason:
      'Nothing is sent to it until you enable it again. What it missed can be sent again for 14 days. You get this mail because you are an administrator of {{organization}}.',
  },
  de: {
    title: 'Webhook {{name}} wurde abgeschaltet',
    causes: {
      gone: 'Er hat um keine weiteren Nachrichten gebeten.',
      failing: 'Er hat fünf Tage lang keine Nachricht angenommen.',
    },
    fields: { cause: 'Grund', host: 'Empfänger' },
    action: 'Webhooks anzeigen',
    reason:
      'Bis Sie ihn wieder einschalten, wird nichts mehr gesendet. Was er verpasst hat, lässt sich 14 Tage lang erneut senden. Sie erhalten diese E-Mail, weil Sie {{organization}} verwalten.',
  },
  fr: {
    title: 'Le webhook {{name}} a été désactivé',
    causes: {
      gone: 'Il a demandé à ne plus recevoir de messages.',
      failing: "Il n'a accepté aucun message pendant cinq jours.",
    },
    fields: { cause: 'Raison', host: 'Destinataire' },
    action: 'Afficher les webhooks',
    reason:
      'Rien ne lui est envoyé tant que vous ne le réactivez pas. Les messages manqués peuvent être renvoyés pendant 14 jours. Vous recevez cet e-mail parce que vous administrez {{organization}}.',
  },
  es: {
    title: 'El webhook {{name}} se ha desactivado',
    causes: {
      gone: 'Ha pedido no recibir más mensajes.',
      failing: 'No ha aceptado ningún mensaje durante cinco días.',
    },
    fields: { cause: 'Motivo', host: 'Receptor' },
    action: 'Mostrar los webhooks',
    reason:
      'No se le envía nada hasta que vuelva a activarlo. Lo que no recibió puede enviarse de nuevo durante 14 días. Recibe este mensaje porque administra {{organization}}.',
  },
  it: {
    title: 'Il webhook {{name}} è stato disattivato',
    causes: {
      gone: 'Ha chiesto di non ricevere altri messaggi.',
      failing: 'Non ha accettato alcun messaggio per cinque giorni.',
    },
    fields: { cause: 'Motivo', host: 'Ricevente' },
    action: 'Mostra i webhook',
    reason:
      'Non gli viene inviato nulla finché non lo riattiva. Ciò che ha perso può essere inviato di nuovo per 14 giorni. Riceve questo messaggio perché amministra {{organization}}.',
  },
  nl: {
    title: 'Webhook {{name}} is uitgeschakeld',
    causes: {
      gone: 'Hij vroeg om geen berichten meer.',
      failing: 'Hij heeft vijf dagen lang geen bericht aangenomen.',
    },
    fields: { cause: 'Reden', host: 'Ontvanger' },
    action: 'Webhooks tonen',
    reason:
      'Er wordt niets naartoe gestuurd totdat u hem weer inschakelt. Wat hij heeft gemist, kan 14 dagen lang opnieuw worden gestuurd. U ontvangt deze e-mail omdat u {{organization}} beheert.',
  },
};

/** A webhook endpoint that was disabled. */
interface DisabledWebhook {
  readonly language: Language;
  readonly organization: string;
  readonly name: string;
  /** Host of its address. */
  readonly host: string;
  readonly cause: DisabledCause;
  /** Page of the console with the webhooks, if there is one. */
  readonly link: string | undefined;
}

/** Writes the mail about a disabled webhook endpoint as subject, text and HTML. */
export function webhookMail({ language, link, ...about }: DisabledWebhook): MailContent {
  const texts = webhookTexts[language];
  const named = (name: string) => isolate(shownName(language, name));
  const title = fillTemplate(texts.title, { name: named(about.name) });
  return renderMail({
    language,
    title,
    reason: fillTemplate(texts.reason, { organization: named(about.organization) }),
    entries: [
      {
        title,
        facts: [
          { label: texts.fields.host, value: about.host },
          { label: texts.fields.cause, value: texts.causes[about.cause] },
        ],
        links: link === undefined ? [] : [{ label: texts.action, url: link }],
      },
    ],
  });
}
