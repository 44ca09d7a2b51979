import type { Language } from './mail.js';

/** Texts of the mail that asks for documents, and of its page, in one language. */
interface DocumentRequestTexts {
  readonly mail: {
    readonly title: string;
    /** Title if several documents are asked for. */
    readonly several: string;
    /** Title of a later mail. */
    readonly again: string;
    readonly action: string;
    /** Sentence about the link, and about what strangers do with it. */
    readonly reason: string;
  };
  readonly fields: {
    readonly holder: string;
    readonly item: string;
    readonly date: string;
    readonly dueOn: string;
    readonly message: string;
    readonly declined: string;
  };
  /** Name of a document whose type has none. */
  readonly document: string;
  readonly page: {
    readonly lead: string;
    readonly files: string;
    readonly hint: string;
    readonly statedDate: string;
    readonly optional: string;
    readonly words: string;
    readonly send: string;
    /** Words of the page's script. */
    readonly script: Readonly<
      Record<
        | 'camera'
        | 'turn'
        | 'crop'
        | 'corners'
        | 'whole'
        | 'cropped'
        | 'uncropped'
        | 'remove'
        | 'sending'
        | 'waiting'
        | 'large'
        | 'failed'
        | 'ended'
        | 'partly',
        string
      >
    >;
    readonly none: string;
    readonly noneHint: string;
    readonly sendNone: string;
    readonly received: string;
    readonly receivedWords: string;
    readonly look: string;
    readonly more: string;
    readonly unknown: string;
    readonly languages: string;
  };
  readonly problems: Readonly<Record<'nothing' | 'type' | 'many' | 'large' | 'date' | 'often', string>>;
}

const en: DocumentRequestTexts = {
  mail: {
    title: '{{organization}} asks you for: {{document}}',
    several: '{{organization}} asks you for {{count}} documents',
    again: 'Reminder: {{title}}',
    action: 'Send the documents',
    reason:
      'The link works without an account until {{date}}. Anyone who has it can send documents, so do not forward it. If you do not know {{organization}}, ignore this mail.',
  },
  fields: {
    holder: 'For',
    item: 'Document',
    date: 'Valid until now',
    dueOn: 'Needed by',
    message: 'Message',
    declined: 'Please send it again',
  },
  document: 'Document',
  page: {
    lead: '{{organization}} asks you for this.',
    files: 'Photos or PDF files',
    hint: 'PDF, JPEG, PNG, WebP or HEIC. Up to 10 files, 16 MB at a time.',
    statedDate: 'Valid until',
    optional: 'optional',
    words: 'Note',
    send: 'Send',
    script: {
      camera: 'Take a picture',
      turn: 'Turn',
      crop: 'Crop',
      corners:
        'Corner at the top left|Corner at the top right|Corner at the bottom right|Corner at the bottom left',
      whole: 'Whole picture',
      cropped: 'Done',
      uncropped: 'This picture cannot be cropped now. You can send it as it is.',
      remove: 'Remove',
      sending: 'Sending …',
      waiting: 'No connection. It goes on by itself.',
      large: 'Larger than 16 MB. Remove it, or choose a smaller file.',
      failed: 'It was not sent. Your files are still here: please try again.',
      ended: 'This is not asked for any more. The files on this page were not sent.',
      partly: 'Only a part of your files has arrived. Send the others, or press “Send” to finish.',
    },
    none: 'I don’t have it',
    noneHint: 'Please say why.',
    sendNone: 'Send this answer',
    received: '{{count}} file(s) received on {{date}}.',
    receivedWords: 'Your answer was received on {{date}}.',
    look: 'Somebody will look at it.',
    more: 'Send more',
    unknown: 'This link does not work: it is incomplete, or nothing is asked for any more.',
    languages: 'Language',
  },
  problems: {
    nothing: 'Choose a file, or write a note.',
    type: 'Only PDF, JPEG, PNG, WebP and HEIC files can be sent. Nothing was received.',
    many: 'That would be more than 10 files. Nothing was received.',
    large: 'The files are too large. Nothing was received.',
    date: 'Enter a date, such as {{date}}. Nothing was received.',
    often: 'Too many attempts. Please wait a minute.',
  },
};

const de: DocumentRequestTexts = {
  mail: {
    title: '{{organization}} bittet Sie um: {{document}}',
    several: '{{organization}} bittet Sie um {{count}} Dokumente',
    again: 'Erinnerung: {{title}}',
    action: 'Dokumente senden',
    reason:
      'Der Link funktioniert ohne Konto bis zum {{date}}. Wer ihn hat, kann Dokumente senden: Leiten Sie ihn nicht weiter. Wenn Sie {{organization}} nicht kennen, ignorieren Sie diese E-Mail.',
  },
  fields: {
    holder: 'Für',
    item: 'Dokument',
    date: 'Bisher gültig bis',
    dueOn: 'Benötigt bis',
    message: 'Nachricht',
    declined: 'Bitte senden Sie es noch einmal',
  },
  document: 'Dokument',
  page: {
    lead: '{{organization}} bittet Sie darum.',
    files: 'Fotos oder PDF-Dateien',
    hint: 'PDF, JPEG, PNG, WebP oder HEIC. Bis zu 10 Dateien, 16 MB auf einmal.',
    statedDate: 'Gültig bis',
    optional: 'freiwillig',
    words: 'Bemerkung',
    send: 'Senden',
    script: {
      camera: 'Foto aufnehmen',
      turn: 'Drehen',
      crop: 'Zuschneiden',
      corners: 'Ecke oben links|Ecke oben rechts|Ecke unten rechts|Ecke unten links',
      whole: 'Ganzes Bild',
      cropped: 'Fertig',
      uncropped: 'Dieses Bild lässt sich gerade nicht zuschneiden. Sie können es so senden, wie es ist.',
      remove: 'Entfernen',
      sending: 'Wird gesendet …',
      waiting: 'Keine Verbindung. Es geht von selbst weiter.',
      large: 'Größer als 16 MB. Entfernen Sie die Datei, oder wählen Sie eine kleinere.',
      failed: 'Es wurde nicht gesendet. Ihre Dateien sind noch hier: Bitte versuchen Sie es noch einmal.',
      ended: 'Darum wird nicht mehr gebeten. Die Dateien auf dieser Seite wurden nicht gesendet.',
      partly:
        'Nur ein Teil Ihrer Dateien ist angekommen. Senden Sie die übrigen, oder drücken Sie zum Abschluss auf „Senden“.',
    },
    none: 'Ich habe es nicht',
    noneHint: 'Bitte sagen Sie, warum.',
    sendNone: 'Diese Antwort senden',
    received: '{{count}} Datei(en) am {{date}} erhalten.',
    receivedWords: 'Ihre Antwort ist am {{date}} angekommen.',
    look: 'Jemand wird sie sich ansehen.',
    more: 'Mehr senden',
    unknown: 'Dieser Link funktioniert nicht: Er ist unvollständig, oder es wird um nichts mehr gebeten.',
    languages: 'Sprache',
  },
  problems: {
    nothing: 'Wählen Sie eine Datei aus, oder schreiben Sie eine Bemerkung.',
    type: 'Nur PDF-, JPEG-, PNG-, WebP- und HEIC-Dateien können gesendet werden. Es ist nichts angekommen.',
    many: 'Das wären mehr als 10 Dateien. Es ist nichts angekommen.',
    large: 'Die Dateien sind zu groß. Es ist nichts angekommen.',
    date: 'Geben Sie ein Datum ein, etwa {{date}}. Es ist nichts angekommen.',
    often: 'Zu viele Versuche. Bitte warten Sie eine Minute.',
  },
};

const es: DocumentRequestTexts = {
  mail: {
    title: '{{organization}} le pide: {{document}}',
    several: '{{organization}} le pide {{count}} documentos',
    again: 'Recordatorio: {{title}}',
    action: 'Enviar los documentos',
    reason:
      'El enlace funciona sin cuenta hasta el {{date}}. Cualquiera que lo tenga puede enviar documentos: no lo reenvíe. Si no conoce {{organization}}, ignore este correo.',
  },
  fields: {
    holder: 'Para',
    item: 'Documento',
    date: 'Válido hasta ahora',
    dueOn: 'Se necesita antes del',
    message: 'Mensaje',
    declined: 'Envíelo de nuevo, por favor',
  },
  document: 'Documento',
  page: {
    lead: '{{organization}} le pide esto.',
    files: 'Fotos o archivos PDF',
    hint: 'PDF, JPEG, PNG, WebP o HEIC. Hasta 10 archivos, 16 MB cada vez.',
    statedDate: 'Válido hasta',
    optional: 'opcional',
    words: 'Nota',
    send: 'Enviar',
    script: {
      camera: 'Hacer una foto',
      turn: 'Girar',
      crop: 'Recortar',
      corners:
        'Esquina superior izquierda|Esquina superior derecha|Esquina inferior derecha|Esquina inferior izquierda',
      whole: 'Imagen entera',
      cropped: 'Listo',
      uncropped: 'Esta imagen no se puede recortar ahora. Puede enviarla tal como está.',
      remove: 'Quitar',
      sending: 'Enviando …',
      waiting: 'Sin conexión. El envío continuará por sí solo.',
      large: 'Ocupa más de 16 MB. Quítelo o elija un archivo más pequeño.',
      failed: 'No se ha enviado. Sus archivos siguen aquí: inténtelo de nuevo, por favor.',
      ended: 'Esto ya no se pide. Los archivos de esta página no se han enviado.',
      partly: 'Solo ha llegado una parte de sus archivos. Envíe los demás o pulse «Enviar» para terminar.',
    },
    none: 'No lo tengo',
    noneHint: 'Indique el motivo, por favor.',
    sendNone: 'Enviar esta respuesta',
    received: '{{count}} archivo(s) recibido(s) el {{date}}.',
    receivedWords: 'Su respuesta se recibió el {{date}}.',
    look: 'Alguien lo revisará.',
    more: 'Enviar más',
    unknown: 'Este enlace no funciona: está incompleto, o ya no se pide nada.',
    languages: 'Idioma',
  },
  problems: {
    nothing: 'Elija un archivo o escriba una nota.',
    type: 'Solo se pueden enviar archivos PDF, JPEG, PNG, WebP y HEIC. No se ha recibido nada.',
    many: 'Serían más de 10 archivos. No se ha recibido nada.',
    large: 'Los archivos son demasiado grandes. No se ha recibido nada.',
    date: 'Indique una fecha, por ejemplo {{date}}. No se ha recibido nada.',
    often: 'Demasiados intentos. Espere un minuto, por favor.',
  },
};

const fr: DocumentRequestTexts = {
  mail: {
    title: '{{organization}} vous demande : {{document}}',
    several: '{{organization}} vous demande {{count}} documents',
    again: 'Rappel : {{title}}',
    action: 'Envoyer les documents',
    reason:
      'Le lien fonctionne sans compte jusqu’au {{date}}. Quiconque le possède peut envoyer des documents : ne le transférez pas. Si vous ne connaissez pas {{organization}}, ignorez ce message.',
  },
  fields: {
    holder: 'Pour',
    item: 'Document',
    date: 'Valable jusqu’ici',
    dueOn: 'Attendu avant le',
    message: 'Message',
    declined: 'Veuillez le renvoyer',
  },
  document: 'Document',
  page: {
    lead: '{{organization}} vous demande ceci.',
    files: 'Photos ou fichiers PDF',
    hint: 'PDF, JPEG, PNG, WebP ou HEIC. Jusqu’à 10 fichiers, 16 Mo à la fois.',
    statedDate: 'Valable jusqu’au',
    optional: 'facultatif',
    words: 'Remarque',
    send: 'Envoyer',
    script: {
      camera: 'Prendre une photo',
      turn: 'Tourner',
      crop: 'Rogner',
      corners: 'Coin en haut à gauche|Coin en haut à droite|Coin en bas à droite|Coin en bas à gauche',
      whole: 'Image entière',
      cropped: 'Terminé',
      uncropped: 'Cette image ne peut pas être rognée pour le moment. Vous pouvez l’envoyer telle quelle.',
      remove: 'Retirer',
      sending: 'Envoi en cours …',
      waiting: 'Pas de connexion. L’envoi reprendra de lui-même.',
      large: 'Ce fichier dépasse 16 Mo. Retirez-le ou choisissez-en un plus petit.',
      failed: 'L’envoi a échoué. Vos fichiers sont toujours ici : veuillez réessayer.',
      ended: 'Ceci n’est plus demandé. Les fichiers de cette page n’ont pas été envoyés.',
      partly:
        'Une partie seulement de vos fichiers est arrivée. Envoyez les autres, ou appuyez sur « Envoyer » pour terminer.',
    },
    none: 'Je ne l’ai pas',
    noneHint: 'Veuillez dire pourquoi.',
    sendNone: 'Envoyer cette réponse',
    received: '{{count}} fichier(s) reçu(s) le {{date}}.',
    receivedWords: 'Votre réponse a été reçue le {{date}}.',
    look: 'Quelqu’un va l’examiner.',
    more: 'Envoyer davantage',
    unknown: 'Ce lien ne fonctionne pas : il est incomplet, ou plus rien n’est demandé.',
    languages: 'Langue',
  },
  problems: {
    nothing: 'Choisissez un fichier ou écrivez une remarque.',
    type: 'Seuls les fichiers PDF, JPEG, PNG, WebP et HEIC peuvent être envoyés. Rien n’a été reçu.',
    many: 'Cela ferait plus de 10 fichiers. Rien n’a été reçu.',
    large: 'Les fichiers sont trop volumineux. Rien n’a été reçu.',
    date: 'Saisissez une date, par exemple {{date}}. Rien n’a été reçu.',
    often: 'Trop de tentatives. Veuillez attendre une minute.',
  },
};

const it: DocumentRequestTexts = {
  mail: {
    title: '{{organization}} le chiede: {{document}}',
    several: '{{organization}} le chiede {{count}} documenti',
    again: 'Promemoria: {{title}}',
    action: 'Invia i documenti',
    reason:
      'Il link funziona senza account fino al {{date}}. Chiunque lo abbia può inviare documenti: non lo inoltri. Se non conosce {{organization}}, ignori questa e-mail.',
  },
  fields: {
    holder: 'Per',
    item: 'Documento',
    date: 'Finora valido fino al',
    dueOn: 'Serve entro il',
    message: 'Messaggio',
    declined: 'Lo invii di nuovo, per favore',
  },
  document: 'Documento',
  page: {
    lead: '{{organization}} le chiede questo.',
    files: 'Foto o file PDF',
    hint: 'PDF, JPEG, PNG, WebP o HEIC. Fino a 10 file, 16 MB alla volta.',
    statedDate: 'Valido fino al',
    optional: 'facoltativo',
    words: 'Nota',
    send: 'Invia',
    script: {
      camera: 'Scatta una foto',
      turn: 'Ruota',
      crop: 'Ritaglia',
      corners:
        'Angolo in alto a sinistra|Angolo in alto a destra|Angolo in basso a destra|Angolo in basso a sinistra',
      whole: 'Immagine intera',
      cropped: 'Fatto',
      uncropped: 'Al momento questa immagine non può essere ritagliata. Può inviarla così com’è.',
      remove: 'Rimuovi',
      sending: 'Invio in corso …',
      waiting: 'Nessuna connessione. L’invio riprenderà da solo.',
      large: 'Supera i 16 MB. Lo rimuova o scelga un file più piccolo.',
      failed: 'L’invio non è riuscito. I suoi file sono ancora qui: riprovi, per favore.',
      ended: 'Questo non viene più chiesto. I file in questa pagina non sono stati inviati.',
      partly:
        'È arrivata solo una parte dei suoi file. Invii gli altri, oppure prema «Invia» per concludere.',
    },
    none: 'Non ce l’ho',
    noneHint: 'Dica il motivo, per favore.',
    sendNone: 'Invia questa risposta',
    received: '{{count}} file ricevuti il {{date}}.',
    receivedWords: 'La sua risposta è arrivata il {{date}}.',
    look: 'Qualcuno la esaminerà.',
    more: 'Invia altro',
    unknown: 'Questo link non funziona: è incompleto, oppure non viene più chiesto nulla.',
    languages: 'Lingua',
  },
  problems: {
    nothing: 'Scelga un file o scriva una nota.',
    type: 'Si possono inviare solo file PDF, JPEG, PNG, WebP e HEIC. Non è arrivato nulla.',
    many: 'Sarebbero più di 10 file. Non è arrivato nulla.',
    large: 'I file sono troppo grandi. Non è arrivato nulla.',
    date: 'Inserisca una data, per esempio {{date}}. Non è arrivato nulla.',
    often: 'Troppi tentativi. Attenda un minuto, per favore.',
  },
};

const nl: DocumentRequestTexts = {
  mail: {
    title: '{{organization}} vraagt u om: {{document}}',
    several: '{{organization}} vraagt u om {{count}} documenten',
    again: 'Herinnering: {{title}}',
    action: 'Documenten sturen',
    reason:
      'De link werkt zonder account tot en met {{date}}. Iedereen die hem heeft kan documenten sturen: stuur hem niet door. Kent u {{organization}} niet, negeer deze e-mail dan.',
  },
  fields: {
    holder: 'Voor',
    item: 'Document',
    date: 'Tot nu toe geldig tot',
    dueOn: 'Nodig vóór',
    message: 'Bericht',
    declined: 'Stuur het a.u.b. nog een keer',
  },
  document: 'Document',
  page: {
    lead: '{{organization}} vraagt u hierom.',
    files: 'Foto’s of PDF-bestanden',
    hint: 'PDF, JPEG, PNG, WebP of HEIC. Tot 10 bestanden, 16 MB per keer.',
    statedDate: 'Geldig tot',
    optional: 'optioneel',
    words: 'Opmerking',
    send: 'Sturen',
    script: {
      camera: 'Foto maken',
      turn: 'Draaien',
      crop: 'Bijsnijden',
      corners: 'Hoek linksboven|Hoek rechtsboven|Hoek rechtsonder|Hoek linksonder',
      whole: 'Hele foto',
      cropped: 'Klaar',
      uncropped: 'Deze foto kan nu niet worden bijgesneden. U kunt hem verzenden zoals hij is.',
      remove: 'Verwijderen',
      sending: 'Bezig met verzenden …',
      waiting: 'Geen verbinding. Het gaat vanzelf verder.',
      large: 'Groter dan 16 MB. Verwijder het, of kies een kleiner bestand.',
      failed: 'Het is niet verzonden. Uw bestanden staan er nog: probeer het opnieuw.',
      ended: 'Hierom wordt niet meer gevraagd. De bestanden op deze pagina zijn niet verzonden.',
      partly:
        'Slechts een deel van uw bestanden is aangekomen. Stuur de andere, of druk op ‘Sturen’ om af te ronden.',
    },
    none: 'Ik heb het niet',
    noneHint: 'Zeg a.u.b. waarom.',
    sendNone: 'Dit antwoord sturen',
    received: '{{count}} bestand(en) ontvangen op {{date}}.',
    receivedWords: 'Uw antwoord is ontvangen op {{date}}.',
    look: 'Iemand zal ernaar kijken.',
    more: 'Meer sturen',
    unknown: 'Deze link werkt niet: hij is onvolledig, of er wordt niets meer gevraagd.',
    languages: 'Taal',
  },
  problems: {
    nothing: 'Kies een bestand, of schrijf een opmerking.',
    type: 'Alleen PDF-, JPEG-, PNG-, WebP- en HEIC-bestanden kunnen worden gestuurd. Er is niets ontvangen.',
    many: 'Dat zouden meer dan 10 bestanden zijn. Er is niets ontvangen.',
    large: 'De bestanden zijn te groot. Er is niets ontvangen.',
    date: 'Vul een datum in, zoals {{date}}. Er is niets ontvangen.',
    often: 'Te veel pogingen. Wacht een minuut.',
  },
};

/** Texts of requests for documents, by language. */
export const documentRequestTexts: Readonly<Record<Language, DocumentRequestTexts>> = {
  de,
  en,
  es,
  fr,
  it,
  nl,
};
