// Why somebody was not told, and what to do about it, by the codes of `NotToldReason`.

/** @type {import('./index.js').Row} */
const newDate = [
  'The item got another date before the mail was sent. The new date has its own reminders.',
  'Der Eintrag hat ein anderes Datum bekommen, bevor die Mail gesendet wurde. Das neue hat eigene Erinnerungen.',
  'L’élément a reçu une autre date avant l’envoi. La nouvelle a ses propres rappels.',
  'El elemento recibió otra fecha antes del envío. La nueva tiene sus propios avisos.',
  'L’elemento ha avuto un’altra data prima dell’invio. La nuova ha i suoi promemoria.',
  'Het item kreeg een andere datum voordat de mail werd verstuurd. De nieuwe heeft eigen herinneringen.',
];

/** @type {import('./index.js').Row} */
const outOfUse = [
  'The item was archived or deleted before the mail was sent. There is nothing to do.',
  'Der Eintrag wurde archiviert oder gelöscht, bevor die Mail gesendet wurde. Nichts zu tun.',
  'L’élément a été archivé ou supprimé avant l’envoi. Il n’y a rien à faire.',
  'El elemento se archivó o eliminó antes del envío. No hay nada que hacer.',
  'L’elemento è stato archiviato o eliminato prima dell’invio. Non c’è niente da fare.',
  'Het item werd gearchiveerd of verwijderd voordat de mail werd verstuurd. U hoeft niets te doen.',
];

/** @type {import('./index.js').Row} */
const past = [
  'The day of this reminder had passed when the item was entered. There is nothing to do.',
  'Der Tag dieser Erinnerung war vorbei, als der Eintrag angelegt wurde. Nichts zu tun.',
  'Le jour de ce rappel était passé lors de la saisie. Il n’y a rien à faire.',
  'El día de este aviso había pasado al crear el elemento. No hay nada que hacer.',
  'Il giorno di questo promemoria era passato quando l’elemento è stato inserito. Non c’è niente da fare.',
  'De dag van deze herinnering was voorbij toen het item werd ingevoerd. U hoeft niets te doen.',
];

/** @type {import('./index.js').Row} */
const address = [
  'The recipient’s mail server does not accept this address. Check how it is spelled, or use another address.',
  'Der Mailserver des Empfängers nimmt diese Adresse nicht an. Prüfen Sie die Schreibweise, oder nehmen Sie eine andere Adresse.',
  'Le serveur du destinataire n’accepte pas cette adresse. Vérifiez-en l’orthographe, ou utilisez-en une autre.',
  'El servidor del destinatario no acepta esta dirección. Compruebe cómo está escrita o use otra.',
  'Il server del destinatario non accetta questo indirizzo. Controlla com’è scritto, o usane un altro.',
  'De mailserver van de ontvanger accepteert dit adres niet. Controleer de spelling, of gebruik een ander adres.',
];

/** @type {import('./index.js').Row} */
const server = [
  'The mail server did not take the mail. Ask your administrator to check it, then try again.',
  'Der Mailserver hat die Mail nicht angenommen. Bitten Sie Ihren Administrator, ihn zu prüfen, und versuchen Sie es noch einmal.',
  'Le serveur de messagerie n’a pas pris l’e-mail. Demandez à votre administrateur de le vérifier, puis réessayez.',
  'El servidor de correo no aceptó el mensaje. Pida a su administrador que lo revise y reintente.',
  'Il server di posta non ha preso l’e-mail. Chiedi all’amministratore di controllarlo, poi riprova.',
  'De mailserver nam de mail niet aan. Vraag uw beheerder hem te controleren en probeer het opnieuw.',
];

/** @satisfies {Record<string, import('./index.js').Row>} */
export default {
  ACKNOWLEDGED: [
    'Somebody acknowledged the date before the mail was sent. There is nothing to do.',
    'Jemand hat das Datum zur Kenntnis genommen, bevor die Mail gesendet wurde. Nichts zu tun.',
    'Quelqu’un a pris connaissance de la date avant l’envoi. Il n’y a rien à faire.',
    'Alguien dio la fecha por vista antes del envío. No hay nada que hacer.',
    'Qualcuno ha preso atto della data prima dell’invio. Non c’è niente da fare.',
    'Iemand heeft de datum gezien voordat de mail werd verstuurd. U hoeft niets te doen.',
  ],
  DATE_CHANGED: newDate,
  DATE_REMOVED: [
    'The item’s date was removed before the mail was sent. Enter a new date to be reminded of it.',
    'Das Datum des Eintrags wurde entfernt, bevor die Mail gesendet wurde. Geben Sie ein neues ein, um erinnert zu werden.',
    'La date de l’élément a été retirée avant l’envoi. Saisissez-en une nouvelle pour recevoir des rappels.',
    'La fecha del elemento se quitó antes del envío. Escriba una nueva para recibir avisos.',
    'La data dell’elemento è stata tolta prima dell’invio. Inseriscine una nuova per ricevere promemoria.',
    'De datum van het item werd verwijderd voordat de mail werd verstuurd. Vul een nieuwe in om herinnerd te worden.',
  ],
  IMPORTED: past,
  INACTIVE: [
    'This person is inactive, or may not see the workspace. Choose somebody else, or let them in again.',
    'Diese Person ist inaktiv oder darf den Arbeitsbereich nicht sehen. Wählen Sie jemand anderen, oder lassen Sie sie wieder zu.',
    'Cette personne est inactive, ou ne peut pas voir l’espace. Choisissez quelqu’un d’autre, ou réactivez-la.',
    'Esta persona está inactiva o no puede ver el espacio. Elija a otra o reactívela.',
    'Questa persona è inattiva o non può vedere l’area. Scegli qualcun altro, o riattivala.',
    'Deze persoon is inactief of mag de werkruimte niet zien. Kies iemand anders, of laat de persoon weer toe.',
  ],
  INVITATION_ENDED: [
    'The invitation was used, has expired, or was replaced by a newer one. Invite the person again if they cannot sign in.',
    'Die Einladung wurde benutzt, ist abgelaufen oder durch eine neuere ersetzt. Laden Sie die Person neu ein, wenn sie sich nicht anmelden kann.',
    'L’invitation a servi, a expiré ou a été remplacée. Invitez de nouveau la personne si elle ne peut pas se connecter.',
    'La invitación se usó, caducó o se sustituyó por otra. Invite de nuevo a la persona si no puede entrar.',
    'L’invito è stato usato, è scaduto o sostituito. Invita di nuovo la persona se non riesce ad accedere.',
    'De uitnodiging is gebruikt, verlopen of vervangen. Nodig de persoon opnieuw uit als aanmelden niet lukt.',
  ],
  ITEM_ARCHIVED: outOfUse,
  ITEM_DELETED: outOfUse,
  ITEM_MISSING: [
    'The item’s document was marked as missing before the mail was sent. Reminders go on once it is there.',
    'Das Dokument wurde als fehlend markiert, bevor die Mail gesendet wurde. Ist es da, geht es mit Erinnerungen weiter.',
    'Le document a été marqué comme manquant avant l’envoi. Les rappels reprennent dès qu’il est là.',
    'El documento se marcó como pendiente antes del envío. Los avisos siguen cuando esté.',
    'Il documento è stato segnato come mancante prima dell’invio. I promemoria riprendono quando c’è.',
    'Het document werd als ontbrekend gemarkeerd voordat de mail werd verstuurd. Is het er, dan gaan herinneringen door.',
  ],
  ITEM_RENEWED: newDate,
  LONG_PAST: past,
  MAIL_ADDRESS_REFUSED: address,
  MAIL_ADDRESS_UNKNOWN: [
    'This address does not exist. Correct it where the person is entered; later reminders go to the new one.',
    'Diese Adresse gibt es nicht. Berichtigen Sie sie bei der Person; spätere Erinnerungen gehen an die neue.',
    'Cette adresse n’existe pas. Corrigez-la dans la fiche de la personne ; les prochains rappels iront à la nouvelle.',
    'Esta dirección no existe. Corríjala en la ficha de la persona; los avisos siguientes irán a la nueva.',
    'Questo indirizzo non esiste. Correggilo nella scheda della persona; i prossimi promemoria andranno al nuovo.',
    'Dit adres bestaat niet. Verbeter het bij de persoon; latere herinneringen gaan naar het nieuwe.',
  ],
  MAIL_BLOCKED: [
    'The recipient’s mail server takes our mail for unwanted. Ask your administrator to check that the sender’s address may send (SPF, DKIM).',
    'Der Mailserver des Empfängers hält unsere Mails für unerwünscht. Bitten Sie Ihren Administrator zu prüfen, ob die Absenderadresse senden darf (SPF, DKIM).',
    'Le serveur du destinataire juge nos e-mails indésirables. Demandez à votre administrateur de vérifier l’adresse d’expédition (SPF, DKIM).',
    'El servidor del destinatario considera no deseado nuestro correo. Pida a su administrador que revise la dirección del remitente (SPF, DKIM).',
    'Il server del destinatario considera indesiderate le nostre e-mail. Chiedi all’amministratore di controllare l’indirizzo del mittente (SPF, DKIM).',
    'De mailserver van de ontvanger ziet onze mail als ongewenst. Vraag uw beheerder het afzenderadres te controleren (SPF, DKIM).',
  ],
  MAIL_FAILED: server,
  MAIL_LINKS_UNAVAILABLE: [
    'The link in this mail cannot be made. Ask your administrator to check the gateway’s public address and its key, then try again.',
    'Der Link in dieser Mail lässt sich nicht erzeugen. Bitten Sie Ihren Administrator, öffentliche Adresse und Schlüssel des Gateways zu prüfen, und versuchen Sie es noch einmal.',
    'Le lien de cet e-mail ne peut pas être créé. Demandez à votre administrateur de vérifier l’adresse publique et la clé de la passerelle, puis réessayez.',
    'No se puede crear el enlace de este correo. Pida a su administrador que revise la dirección pública y la clave de la pasarela, y reintente.',
    'Il link di questa e-mail non si può creare. Chiedi all’amministratore di controllare l’indirizzo pubblico e la chiave del gateway, poi riprova.',
    'De link in deze mail kan niet worden gemaakt. Vraag uw beheerder het publieke adres en de sleutel van de gateway te controleren en probeer het opnieuw.',
  ],
  MAIL_MAILBOX_DISABLED: [
    'This mailbox no longer takes mail. Use another address of this person.',
    'Dieses Postfach nimmt keine Mails mehr an. Nehmen Sie eine andere Adresse der Person.',
    'Cette boîte n’accepte plus d’e-mails. Utilisez une autre adresse de cette personne.',
    'Este buzón ya no acepta correo. Use otra dirección de esta persona.',
    'Questa casella non accetta più e-mail. Usa un altro indirizzo di questa persona.',
    'Deze mailbox neemt geen mail meer aan. Gebruik een ander adres van deze persoon.',
  ],
  MAIL_MAILBOX_FULL: [
    'This mailbox is full. Ask its owner to make room, then try again.',
    'Dieses Postfach ist voll. Bitten Sie den Besitzer, Platz zu machen, und versuchen Sie es noch einmal.',
    'Cette boîte est pleine. Demandez à son propriétaire de faire de la place, puis réessayez.',
    'Este buzón está lleno. Pida a su dueño que haga sitio y reintente.',
    'Questa casella è piena. Chiedi al proprietario di fare spazio, poi riprova.',
    'Deze mailbox is vol. Vraag de eigenaar ruimte te maken en probeer het opnieuw.',
  ],
  MAIL_NOT_SECURE: [
    'The connection to the mail server is not secure. Ask your administrator to check its certificate, then try again.',
    'Die Verbindung zum Mailserver ist nicht sicher. Bitten Sie Ihren Administrator, das Zertifikat zu prüfen, und versuchen Sie es noch einmal.',
    'La connexion au serveur de messagerie n’est pas sûre. Demandez à votre administrateur de vérifier son certificat, puis réessayez.',
    'La conexión con el servidor de correo no es segura. Pida a su administrador que revise su certificado y reintente.',
    'La connessione al server di posta non è sicura. Chiedi all’amministratore di controllarne il certificato, poi riprova.',
    'De verbinding met de mailserver is niet veilig. Vraag uw beheerder het certificaat te controleren en probeer het opnieuw.',
  ],
  MAIL_REFUSED: address,
  MAIL_SENDER_REFUSED: [
    'The mail server does not accept the sender’s address. Ask your administrator to check it, then try again.',
    'Der Mailserver nimmt die Absenderadresse nicht an. Bitten Sie Ihren Administrator, sie zu prüfen, und versuchen Sie es noch einmal.',
    'Le serveur de messagerie n’accepte pas l’adresse d’expédition. Demandez à votre administrateur de la vérifier, puis réessayez.',
    'El servidor de correo no acepta la dirección del remitente. Pida a su administrador que la revise y reintente.',
    'Il server di posta non accetta l’indirizzo del mittente. Chiedi all’amministratore di controllarlo, poi riprova.',
    'De mailserver accepteert het afzenderadres niet. Vraag uw beheerder het te controleren en probeer het opnieuw.',
  ],
  MAIL_SERVER_BUSY: [
    'The mail server was too busy to take the mail. Trying again usually helps.',
    'Der Mailserver war zu beschäftigt für diese Mail. Ein neuer Versuch hilft meist.',
    'Le serveur de messagerie était trop occupé. Réessayer suffit en général.',
    'El servidor de correo estaba demasiado ocupado. Reintentar suele bastar.',
    'Il server di posta era troppo occupato. Di solito basta riprovare.',
    'De mailserver had het te druk voor deze mail. Opnieuw proberen helpt meestal.',
  ],
  MAIL_SERVER_REFUSED: server,
  MAIL_SERVER_UNREACHABLE: server,
  MAIL_SIGN_IN_REFUSED: [
    'The mail server does not accept the gateway’s user name or password. Ask your administrator to correct them, then try again.',
    'Der Mailserver nimmt Benutzer oder Passwort des Gateways nicht an. Bitten Sie Ihren Administrator, sie zu berichtigen, und versuchen Sie es noch einmal.',
    'Le serveur de messagerie refuse l’identifiant ou le mot de passe de la passerelle. Demandez à votre administrateur de les corriger, puis réessayez.',
    'El servidor de correo no acepta el usuario o la contraseña de la pasarela. Pida a su administrador que los corrija y reintente.',
    'Il server di posta non accetta utente o password del gateway. Chiedi all’amministratore di correggerli, poi riprova.',
    'De mailserver accepteert gebruiker of wachtwoord van de gateway niet. Vraag uw beheerder die te verbeteren en probeer het opnieuw.',
  ],
  MUTED: [
    'This person has paused their mail for now. Tell them another way if it is urgent.',
    'Diese Person hat ihre Mails vorübergehend abgestellt. Sagen Sie es ihr anders, wenn es eilt.',
    'Cette personne a suspendu ses e-mails pour l’instant. Prévenez-la autrement si c’est urgent.',
    'Esta persona ha pausado sus correos por ahora. Avísele de otro modo si es urgente.',
    'Questa persona ha sospeso le e-mail per ora. Avvisala in altro modo se è urgente.',
    'Deze persoon heeft mails voorlopig gepauzeerd. Laat het op een andere manier weten als het dringend is.',
  ],
  NOTHING_TO_TELL: [
    'Everything that this mail was about was settled before it was sent. There is nothing to do.',
    'Alles, worum es in dieser Mail ging, war vor dem Senden erledigt. Nichts zu tun.',
    'Tout ce dont parlait cet e-mail a été réglé avant l’envoi. Il n’y a rien à faire.',
    'Todo lo que trataba este correo se resolvió antes del envío. No hay nada que hacer.',
    'Tutto ciò di cui parlava questa e-mail è stato risolto prima dell’invio. Non c’è niente da fare.',
    'Alles waar deze mail over ging was al afgehandeld. U hoeft niets te doen.',
  ],
  REMINDERS_OFF: [
    'Reminders of the item were switched off before the mail was sent. Switch them on again if they are wanted.',
    'Erinnerungen an den Eintrag wurden abgestellt, bevor die Mail gesendet wurde. Stellen Sie sie wieder an, wenn sie gewünscht sind.',
    'Les rappels de l’élément ont été désactivés avant l’envoi. Réactivez-les si vous les voulez.',
    'Los avisos del elemento se desactivaron antes del envío. Actívelos de nuevo si los quiere.',
    'I promemoria dell’elemento sono stati disattivati prima dell’invio. Riattivali se li vuoi.',
    'Herinneringen aan het item werden uitgezet voordat de mail werd verstuurd. Zet ze weer aan als ze gewenst zijn.',
  ],
  SUPERSEDED: [
    'A later reminder of the same date was sent instead. There is nothing to do.',
    'Stattdessen wurde eine spätere Erinnerung an dasselbe Datum gesendet. Nichts zu tun.',
    'Un rappel plus récent de la même date a été envoyé à la place. Il n’y a rien à faire.',
    'Se envió en su lugar un aviso posterior de la misma fecha. No hay nada que hacer.',
    'È stato inviato al suo posto un promemoria successivo della stessa data. Non c’è niente da fare.',
    'In plaats daarvan is een latere herinnering aan dezelfde datum verstuurd. U hoeft niets te doen.',
  ],
  SUPPRESSED: [
    'No mail goes to this address: its owner unsubscribed, it was refused before, or an administrator ended it. Tell this person another way, or ask your administrator.',
    'An diese Adresse geht keine Mail: Sie wurde abbestellt, früher abgelehnt oder vom Administrator gesperrt. Sagen Sie es der Person anders, oder fragen Sie Ihren Administrator.',
    'Aucun e-mail n’est envoyé à cette adresse : désabonnement, refus antérieur ou décision d’un administrateur. Prévenez la personne autrement, ou demandez à votre administrateur.',
    'No se envía correo a esta dirección: se dio de baja, fue rechazada antes o la excluyó un administrador. Avise a la persona de otro modo o pregunte a su administrador.',
    'A questo indirizzo non si invia posta: disiscrizione, rifiuto precedente o scelta di un amministratore. Avvisa la persona in altro modo, o chiedi all’amministratore.',
    'Naar dit adres gaat geen mail: afgemeld, eerder geweigerd of door een beheerder gestopt. Laat het op een andere manier weten, of vraag uw beheerder.',
  ],
  WITHOUT_RECIPIENT: [
    'None of the people that this was for could be told. Add somebody who can be reached.',
    'Niemand, für den das war, konnte erinnert werden. Fügen Sie jemanden hinzu, der erreichbar ist.',
    'Aucune des personnes concernées n’a pu être prévenue. Ajoutez quelqu’un de joignable.',
    'No se pudo avisar a ninguna de las personas previstas. Añada a alguien localizable.',
    'Nessuna delle persone previste ha potuto essere avvisata. Aggiungi qualcuno di raggiungibile.',
    'Niemand voor wie dit was kon worden bereikt. Voeg iemand toe die bereikbaar is.',
  ],
  other: [
    'It could not be sent. Try again; if that does not help, ask your administrator.',
    'Sie konnte nicht gesendet werden. Versuchen Sie es noch einmal; hilft das nicht, fragen Sie Ihren Administrator.',
    'L’envoi a échoué. Réessayez ; si cela ne suffit pas, demandez à votre administrateur.',
    'No se pudo enviar. Reintente; si no sirve, pregunte a su administrador.',
    'L’invio non è riuscito. Riprova; se non basta, chiedi all’amministratore.',
    'Het kon niet worden verstuurd. Probeer het opnieuw; helpt dat niet, vraag dan uw beheerder.',
  ],
};
