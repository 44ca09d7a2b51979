/**
 * These templates share no document with those that are worked with. Whoever mends the reading of dates
 * by looking at them has nothing left to measure it by.
 */
import { type CorpusCase, makeCorpus, parseTemplates } from './corpus.js';

const templates = parseTemplates(`
== en labelled
STATE BOARD OF COSMETOLOGY
{name} is hereby licensed as ESTHETICIAN
LICENSE NO. {no:#####}   ORIGINAL ISSUE {old}
{EXPIRATION DATE|EXPIRES ON|EXPIRY} {expiry}
Must be displayed in a conspicuous place.

== en labelled
CERTIFICATE OF LIABILITY INSURANCE                    DATE {print}
PRODUCER: Fenwick & Rowe
INSURED: {company}
TYPE OF INSURANCE          POLICY NUMBER          POLICY EFF          POLICY EXP
GENERAL LIABILITY          {no:AAA####}          {start}          {expiry}

== en labelled | expiry | D MMMM YYYY;DD.MM.YYYY;DD MMM YYYY;DD/MM/YYYY
MOT test certificate
Vehicle registration: {no:AA## AAA}
Mileage: 48,112 miles
Date of the test: {issue}
Expiry date: {expiry}
Location of the test: {company}, {city}
To preserve the anniversary of the expiry date, the earliest you can present your vehicle for test is one month before.

== en labelled | expiry | D MMMM YYYY;DD MMM YYYY;DD/MM/YYYY
Seafarer's medical fitness certificate
Name (last, first): {last}, {first}
Date of birth (day/month/year){=}{birth}
Fit for look-out duty: Yes
Date of examination{=}{issue}
{Expiry date of certificate|Certificate expires|Date of expiry of certificate}{=}{expiry}
Doctor: {name2}

== en labelled
FIRE EXTINGUISHER SERVICE TAG
Serviced by {company}
Last service{=}{issue}
Type{=}CO2, 5 kg
{Next service due|Service due by}{=}{expiry}

== en labelled
Certificate of pressure vessel registration
Owner{=}{company}
Registration{=}{no:#-####.##}
Inspector{=}{name}, {city}
Inspected{=}{issue}
{Certificate expiry|Registration expiry date|Registration valid to}{=}{expiry}

== en labelled
First aid at work - attendance card
This card belongs to {name}.
Course completed: {issue}. Card expires: {expiry}.
If found, please return to {company}.

== en labelled
BUSINESS LICENSE    City of {city}
Licensee{=}{company}
License period{=}{start} to {expiry}
Fee paid{=}$185.00
Post in public view.

== en labelled
Residence permit
Type of permit{=}WORK
{Card expires|Valid until}{=}{expiry}
Place and date of issue{=}{city}, {issue}
Remarks{=}NO PUBLIC FUNDS

== en labelled
Product: epoxy adhesive, 2 x 400 ml
Lot{=}{no:AA####}
Mfg date{=}{issue}
{Use by|Expiry date|Exp. date}{=}{expiry}
Store between 5 and 25 °C.

== de labelled
HANDWERKSKAMMER {city}
Sachverständigenausweis
Inhaber{=}{name}
Ausweis-Nr.{=}{no:###-##}
Ausstellungsdatum{=}{issue}
{Ausweis gültig bis|Gültigkeit bis|Gültig bis zum}{=}{expiry}

== de labelled
Prüfbericht über die wiederkehrende Prüfung eines Druckbehälters
Betreiber: {company}
Fabriknummer: {no:A####}
Tag der Prüfung: {issue}
Nächste Prüfung {fällig am|spätestens am|bis}: {expiry}
Befähigte Person: {name}

== de labelled
Reisepass / Lesbare Abschrift
Familienname{=}{last}
Vorname{=}{first}
Geburtsdatum{=}{birth}
Ausstellungsdatum{=}{issue}
{Gültig bis|Ablaufdatum}{=}{expiry}
Passnummer{=}{no:A####A##A}

== de labelled
Bescheinigung nach § 43 Infektionsschutzgesetz
für {name}, geboren am {birth}
Erstbelehrung am {old}
Die Bescheinigung ist gültig bis: {expiry}
Gesundheitsamt {city}

== de labelled
Kalibrierschein Nr. {no:##-A-###}
Gegenstand{=}Messschieber 150 mm
Auftraggeber{=}{company}
Kalibrierdatum{=}{issue}
{Rekalibrierung fällig|Nächste Kalibrierung|Kalibrierung gültig bis}{=}{expiry}

== de labelled
{company}
Dienstausweis {no:#####}
{name}
Eintrittsdatum {old}
{GÜLTIG BIS|Ablauf|Ausweis läuft ab am} {expiry}

== fr labelled
RÉPUBLIQUE FRANÇAISE
TITRE DE SÉJOUR
Nom{=}{last}
Prénom{=}{first}
Né(e) le{=}{birth}
{Fin de validité|Titre valable jusqu'au|Expiration}{=}{expiry}
Lieu{=}{city}

== fr labelled
Procès-verbal de contrôle technique
Immatriculation : {no:AA-###-AA}
Date du contrôle : {issue}
Date limite de validité du contrôle : {expiry}
Centre : {company}
Kilométrage relevé : 87 450

== fr labelled
Fiche d'aptitude médicale
Salarié{=}{name}
Visite effectuée le{=}{issue}
Avis{=}apte
{Aptitude valable jusqu'au|Avis valable jusqu'au|Avis d'aptitude valide jusqu'au}{=}{expiry}
Médecin du travail{=}Dr {last2}

== fr labelled
CARTE EUROPÉENNE D'ASSURANCE MALADIE
Nom : {last}
Prénoms : {first}
Date de naissance : {birth}
Numéro d'identification de la carte : {no:####-####-#}
Date d'expiration : {expiry}

== fr labelled
CACES R489 - catégorie 3
{company} atteste que {name} a réussi le test du {issue}.
{Échéance|Date d'échéance|Date de fin de validité}{=}{expiry}

== fr labelled
Bail professionnel, résumé
Bailleur{=}{name}
Preneur{=}{company}
Prise d'effet{=}{start}
{Terme du bail|Fin du bail|Échéance du bail}{=}{expiry}
Loyer mensuel{=}1 150 €

== es labelled
REINO DE ESPAÑA
PERMISO DE CONDUCCIÓN
1. {last}
2. {first}
Nacido el{=}{birth}
Expedido el{=}{issue}
{Fecha de validez|Válido hasta el|Fecha de expiración}{=}{expiry}

== es labelled
Tarjeta ITV
Matrícula{=}{no:#### AAA}
Inspección realizada{=}{issue}
Resultado{=}FAVORABLE
{Inspección válida hasta|Válida hasta|Próxima inspección antes de}{=}{expiry}

== es labelled
Certificado médico de aptitud
Paciente{=}{name}, nacido el {birth}
Reconocimiento{=}{issue}
{Vence|Vigente hasta|Vigencia hasta}{=}{expiry}
Médico{=}Dra. {last2}, {city}

== es labelled
CERTIFICADO DE CALIBRACIÓN {no:AA-###}
Cliente: {company}
Equipo: balanza 30 kg
Fecha de calibración: {issue}
Próxima calibración: {expiry}
Técnico: {name}

== it labelled
REPUBBLICA ITALIANA
CARTA DI IDENTITÀ
Cognome{=}{last}
Nome{=}{first}
Nato il{=}{birth}
Emissione{=}{issue}
{Scadenza|Data scadenza|Valida sino al}{=}{expiry}

== it labelled
Verbale di verifica periodica di ascensore
Impianto n. {no:AA ###}
Proprietario: {company}
Data della verifica: {issue}
Esito: positivo
{Verifica valida fino al|Prossima verifica entro il}: {expiry}

== it labelled
CERTIFICATO DI IDONEITÀ SPORTIVA
Atleta{=}{name}, nato il {birth}
Visita del{=}{issue}
{Validità fino al|Il certificato scade il|Valevole fino al}{=}{expiry}
Il medico{=}{name2}

== it labelled
Permesso di soggiorno
Titolare{=}{name}
Rilasciato il{=}{issue}
Luogo{=}{city}
{Data di scadenza|Valido sino al|Scade il}{=}{expiry}

== nl labelled
KONINKRIJK DER NEDERLANDEN
RIJBEWIJS
Naam{=}{last}
Voornaam{=}{first}
Geboren{=}{birth}
Afgegeven{=}{issue}
{Geldig tot|Einddatum geldigheid|Datum einde geldigheid}{=}{expiry}

== nl labelled
Verzekeringsbewijs aansprakelijkheid
Verzekeringnemer{=}{company}
Polisnummer{=}{no:##.####}
Ingangsdatum{=}{start}
{Einddatum|Contractvervaldatum|Verzekerd tot}{=}{expiry}
Afdrukdatum{=}{print}

== nl labelled
Kalibratierapport manometer {no:A###}
Klant{=}{company}
Gekalibreerd op{=}{issue}
{Volgende kalibratie|Kalibratie geldig tot|Kalibratie verloopt op}{=}{expiry}
Technicus{=}{name}

== nl labelled
BHV-certificaat
Uitgereikt aan {name}
Behaald op {issue}
{Dit certificaat verloopt op|Geldig t/m|Vervalt op} {expiry}

== en layout
DL {no:AA######}
{name}
{city}
DOB          ISS          EXP
{birth}          {issue}          {expiry}

== en layout
+----------------+----------------+
| Issue date     | Expiry date    |
+----------------+----------------+
| {issue} | {expiry} |
+----------------+----------------+
| Holder: {name}

== en layout
{company}
VISITOR ACCESS PASS

{expiry}
VALID UNTIL

{name}
VISITOR NAME

== en layout | expiry | DD.MM.YYYY;DD MMM YYYY;DD/MM/YYYY
1. {last}
2. {first}
3. {birth}
4a. {issue}
4b. {expiry}
4c. DVLA
5. {no:AAAAA######AA}
4a Date of issue, 4b Date of expiry

== en layout
Certificate number        Issued to
{no:AA-####}                {name}
Issued on                 Valid to
{issue}                {expiry}
This certificate remains the property of {company}.

== de layout
Zertifikat-Nr.
{no:A-####}
Erstausstellung
{old}
Ablaufdatum
{expiry}
Geltungsbereich
Herstellung von Stahlbauteilen

== de layout
{issue}                              {expiry}
Ausgestellt                          Ablauf
{city}
Ausstellungsort

== de layout
3. {birth}
4a. {issue}
4b. {expiry}
4c. Landratsamt {city}
4a = Ausstellungsdatum, 4b = Ablaufdatum

== de layout
| Geboren am | {birth} |
| Ausgestellt am | {issue} |
| Gültig bis | {expiry} |
| Ausweisinhaber | {name} |

== fr layout
Né le
{birth}
Fait le
{issue}
Valide jusqu'au
{expiry}
Cachet de l'autorité

== fr layout
Date d'effet               Échéance
{start}               {expiry}
Assuré
{company}

== fr layout
{no:###-AAA}
N° du permis
{expiry}
Date d'expiration
{city}
Lieu de délivrance

== es layout
FECHA DE EMISIÓN
{issue}
FECHA DE VENCIMIENTO
{expiry}
TITULAR
{name}

== es layout
{issue}               {expiry}
Fecha de expedición               Fecha de caducidad
Ayuntamiento de {city}

== it layout
Data di emissione               Data di scadenza
{issue}               {expiry}
Comune di {city}

== it layout
{expiry}
Valido fino al
{name}
Titolare

== nl layout
Afgegeven op
{issue}
Geldig tot en met
{expiry}
Handtekening houder

== nl layout
{birth}          {issue}          {expiry}
Geboortedatum          Afgiftedatum          Vervaldatum
{name}

== en table | expiry | YYYY-MM-DD;MM/DD/YYYY;DD-MMM-YYYY
Employee ID,Employee,Licence type,Start,Expiration,Last login
{no:####},{name},Forklift,{issue},{expiry},{print}

== en table | expiry | DD/MM/YYYY;YYYY-MM-DD
"Vehicle";"Plate";"Insurance from";"Insurance until";"Next wash"
"Van";"{no:AA## AAA}";"{start}";"{expiry}";"{next}"

== en table | expiry | YYYY-MM-DD;D MMMM YYYY
Field\tValue
Holder\t{name}
Issue date\t{issue}
Expiry date\t{expiry}
Renewal letter sent\t{print}

== de table | expiry | DD.MM.YYYY
Gerät\tInventar-Nr.\tLetzte Prüfung\tNächste Prüfung\tPrüfer
Leiter 3 m\t{no:A-###}\t{issue}\t{expiry}\t{name}

== de table | expiry | DD.MM.YYYY;YYYY-MM-DD
"Name","Geburtsdatum","Ausweis gültig bis","Eingestellt am"
"{name}","{birth}","{expiry}","{old}"

== fr table | expiry | DD/MM/YYYY
Matériel\tN° de série\tMis en service\tValable jusqu'au
Harnais\t{no:AA###}\t{issue}\t{expiry}

== fr table | expiry | DD/MM/YYYY;YYYY-MM-DD
Document,Titulaire,Délivré le,Expire le,Prochain rendez-vous
Carte pro,{name},{issue},{expiry},{next}

== es table | expiry | DD/MM/YYYY;YYYY-MM-DD
Equipo,Serie,Última revisión,Vence el
Extintor,{no:A###},{issue},{expiry}

== it table | expiry | DD/MM/YYYY;YYYY-MM-DD
Targa\tAssicurazione dal\tScadenza assicurazione\tAutista
{no:AA###AA}\t{start}\t{expiry}\t{name}

== nl table | expiry | DD-MM-YYYY;YYYY-MM-DD
Medewerker;Diploma;Behaald op;Geldig tot;Volgend gesprek
{name};BHV;{issue};{expiry};{next}

== nl table | expiry | YYYY-MM-DD;DD-MM-YYYY
Object,Keurder,Gekeurd op,Verloopt op
Ladder {no:##},{name},{issue},{expiry}

== en prose
To whom it may concern

We confirm that {company} holds employers' liability cover with us under policy {no:AA####}. Cover {runs from {start} to {expiry}|commenced on {start} and expires on {expiry}|is in force until {expiry}}, both days inclusive.

For the underwriters, {name}

== en prose
Subject: your membership

Hi {first},
just a reminder that your gym membership {ends on|expires|runs out on} {expiry}. You joined us on {old}, and we'd love to keep you.

== en prose
NOW THEREFORE the Licensee may occupy the premises at {city} from {start}. This licence shall {expire on {expiry}|remain in effect until {expiry}|terminate on {expiry}} unless terminated sooner under clause 9.

== en prose
The examination of the crane took place on {issue} in the presence of {name}. No defects were found. The report is valid until {expiry}.

== en prose
On {issue} the Minister granted {company} a permit for the export of timber. It lapses on {expiry}.

== de prose
Auf Ihren Antrag vom {issue} wird Ihnen die Genehmigung zur Nutzung öffentlicher Flächen in {city} erteilt. Die Genehmigung {ist bis zum {expiry} befristet|erlischt am {expiry}|endet mit Ablauf des {expiry}}.

== de prose
Hiermit bestätigen wir, dass für {company} eine Betriebshaftpflichtversicherung besteht. Der Versicherungsschutz besteht vom {start} bis zum {expiry}.

== de prose
Das Zertifikat wurde nach dem Audit vom {issue} erteilt und hat eine Gültigkeit bis {expiry}. Auditleiterin war {name}.

== fr prose
Le présent contrat est conclu entre {company} et {name}. Il prend effet le {start} et {prend fin le {expiry}|arrive à échéance le {expiry}|se termine le {expiry}}.

== fr prose
Je soussigné, docteur {last}, certifie avoir examiné {name} le {issue}. Le présent certificat est valable jusqu'au {expiry} inclus.

== es prose
Estimado señor {last}: le recordamos que su permiso de trabajo, expedido el {issue}, {vencerá el {expiry}|caducará el {expiry}|es válido hasta el {expiry}}. Atentamente, {name2}

== es prose
El presente contrato de arrendamiento entra en vigor el {start} y {finaliza|termina} el {expiry}. Firmado en {city} por {name}.

== it prose
Gentile {name}, La informiamo che la Sua tessera, emessa il {issue}, {scadrà il {expiry}|è valida fino al {expiry}|scade in data {expiry}}. Cordiali saluti, {company}

== it prose
Il contratto di locazione decorre dal {start} e termina il {expiry}. Letto, confermato e sottoscritto a {city}.

== nl prose
Hierbij verklaren wij dat {name} op {issue} het examen heeft afgelegd. Het certificaat {blijft geldig tot {expiry}|is geldig tot {expiry}|vervalt op {expiry}}. Hoogachtend, {company}

== nl prose
De huurovereenkomst gaat in op {start} en eindigt op {expiry}. De huur wordt maandelijks vooruit betaald.

== en bilingual | expiry | DD MMM YYYY;YYYY-MM-DD;D MMMM YYYY
PERMANENT RESIDENT CARD / CARTE DE RÉSIDENT PERMANENT
Name/Nom
{last}, {first}
DOB/DDN {birth}
Expiry/Expiration {expiry}

== de bilingual | expiry | DD.MM.YYYY
Geburtsdatum / Date de naissance: {birth}
Ausgestellt am / Délivré le: {issue}
Gültig bis / Valable jusqu'au: {expiry}

== it bilingual | expiry | DD.MM.YYYY
Cognome / Name: {last}
Rilasciato il / Ausgestellt am: {issue}
Valido fino al / Gültig bis: {expiry}

== es bilingual | expiry | D MMM YYYY;YYYY-MM-DD;DD-MM-YYYY | free
Nombre / Nome: {name}
Fecha de expedición / Data di rilascio: {issue}
Fecha de caducidad / Data di scadenza: {expiry}

== nl bilingual | expiry | DD/MM/YYYY
Uitgegeven op - Délivrée le - Ausgestellt am: {issue}
Geldig tot - Valable jusqu'au - Gültig bis: {expiry}

== en bilingual | expiry | DD/MM/YYYY
Nombre / Name: {name}
Fecha de vencimiento / Expiration date: {expiry}

== en format | expiry | MM/DD/YYYY | free
CERTIFICATE OF MEMBERSHIP
Member: {name}
Expires {expiry} (mm/dd/yyyy)

== en format | expiry | DD/MM/YYYY | free
Date of issue (dd/mm/yyyy)      Date of expiry (dd/mm/yyyy)
{issue}                      {expiry}

== en format | expiry | YYYY/MM/DD | free
Registrant: {company}
Valid to (YYYY/MM/DD): {expiry}

== en format | expiry | MM-DD-YYYY | free
All dates on this form are written MM-DD-YYYY.
Date of hire: {old}
License expiration date: {expiry}

== es format | expiry | DD/MM/YYYY | free
Titular: {name}
Fecha de vencimiento (DD/MM/AAAA): {expiry}

== it format | expiry | DD/MM/YYYY | free
Intestatario: {name}
Data di scadenza (GG/MM/AAAA): {expiry}

== nl format | expiry | DD-MM-YYYY | free
Houder: {name}
Geldig tot (DD-MM-JJJJ): {expiry}

== fr format | expiry | DD/MM/YYYY | free
Délivré le : {issue} (jj/mm/aaaa)
Expire le : {expiry} (jj/mm/aaaa)

== en month | expiry@end
EUROPEAN STUDENT PASS
{name}, born {birth:D MMMM YYYY}
{Valid until end of|Expires end of|Valid until} {expiry:MMMM YYYY}

== fr month | expiry@end
Carte de membre n° {no:###}
{name}
{Valable jusqu'à fin|Expire fin} {expiry:MMMM YYYY}

== es month | expiry@end
Tarjeta de acceso
{name}
{Válida hasta|Caduca} {expiry:MM/YYYY}

== nl month | expiry@end
Pas {no:####}
{name}
{Geldig t/m|Geldig tot en met} {expiry:MM/YYYY}

== en decided | early | D MMMM YYYY;MMMM D, YYYY;Do MMMM YYYY
The approval shall lapse on the earlier of {early} and {late}.

== en decided | late | D MMMM YYYY;DD MMM YYYY;YYYY-MM-DD
EXTENSION NOTICE
The lease, originally due to expire on {early}, has been extended until {late}.

== en decided | expiry | D MMMM YYYY;YYYY-MM-DD
Licence {no:A-###} of {name}. First granted {old}, renewed {issue}, expires {expiry}.

== en decided | expiry | D MMMM YYYY;MMMM D, YYYY
This certificate replaces the certificate dated {old} and is valid until {expiry}.

== de decided | late | DD.MM.YYYY;D. MMMM YYYY
Die ursprünglich bis {early} gültige Erlaubnis wird bis zum {late} verlängert.

== de decided | expiry | DD.MM.YYYY;D. MMMM YYYY
Ersetzt das Zertifikat vom {old}. Dieses Zertifikat ist gültig bis {expiry}.

== fr decided | early | Do MMMM YYYY;DD/MM/YYYY
L'agrément prend fin le {late} ou le {early}, la première de ces deux dates étant retenue.

== es decided | late | DD/MM/YYYY;D de MMMM de YYYY
Permiso válido hasta el {early}, prorrogado hasta el {late}.

== es decided | early | D de MMMM de YYYY
El permiso vence el {early} o el {late}, lo que ocurra primero.

== it decided | late | DD/MM/YYYY;Do MMMM YYYY
Autorizzazione valida fino al {early}, prorogata fino al {late}.

== nl decided | late | DD-MM-YYYY;D MMMM YYYY
Vergunning geldig tot {early}, verlengd tot {late}.

== it decided | expiry | DD/MM/YYYY;Do MMMM YYYY
Tessera rinnovata il {issue}. Valida fino al {expiry}. Titolare: {name}

== en negated
Oxygen cylinder {no:A###}
Filled {issue}
{Must not be used after|Not valid beyond|Invalid after|No longer valid after} {expiry}

== es negated
Pase de visita de {name}
Emitido el {issue}
{No válido después del|Sin validez a partir del día siguiente al|No utilizar después del} {expiry}

== nl negated
Toegangspas {no:###}
Uitgegeven op {issue}
{Niet geldig na|Niet gebruiken na|Ongeldig na} {expiry}

== de negated
Sauerstoffgerät {no:A##}
Hergestellt {issue}
{Nicht verwenden nach|Nicht zu verwenden nach dem|Nicht gültig nach dem} {expiry}

== fr negated
Masque respiratoire, lot {no:AA##}
Fabriqué le {issue}
{Ne pas utiliser après le|Plus valable après le} {expiry}

== en two labels
Effective: {start}; Expires: {expiry}; Policyholder: {company}

== en two labels
Date of issue: {issue}     Date of expiry: {expiry}
Date printed: {print}     Date of birth: {birth}

== en two labels
Permit expires: {expiry}
Annual fee due: {next}

== de two labels
Ausstellungsdatum / Ablaufdatum: {issue} / {expiry}
Inhaber: {name}

== de two labels
Vertragsbeginn: {start}   Vertragsende: {expiry}
Gedruckt am {print}

== fr two labels
Date de délivrance / Date d'expiration : {issue} / {expiry}
Titulaire : {name}

== fr two labels
Expire le : {expiry}
Prochaine visite médicale : {next}

== es two labels
Emisión: {issue} - Vencimiento: {expiry}
Cliente: {company}

== it two labels
Rilascio: {issue} - Scadenza: {expiry}
Codice fiscale: {no:AAAAAA##A##A###A}

== nl two labels
Afgiftedatum: {issue}, vervaldatum: {expiry}
Nagedrukt op {print}

== en other date
Form 26-{no:##} Rev. {old}
CONTRACTOR REGISTRATION
Registrant: {company}
Registration expires: {expiry}
Page 1 of 1, printed {print}

== de other date
Vordruck {no:###}, Ausgabe {old}
Waffenschein für {name}
Gültig bis: {expiry}

== fr labelled
Cerfa n° {no:#####}*02
Carte de stationnement
Bénéficiaire : {name}
Attribuée le {issue}
Date de fin de droits : {expiry}

== en unlimited | none
DEED OF APPOINTMENT
{name} is appointed trustee with effect from {issue}.
{The appointment has no expiry date|This appointment is for an indefinite term|No expiry}. Accounts are to be filed on {next}.

== en unlimited | none
Certificate of competence
{Valid until: Permanent|Validity: lifetime|Expiration date: does not expire|Expiry: no expiry}     Next refresher talk: {next}
Holder: {name}

== de unlimited | none
Gewerbeanmeldung {company}
{Befristung: keine|Gültigkeitsdauer: unbefristet|Gültig bis: entfällt|Ablauf: nie}
Wiedervorlage: {next}

== de unlimited | none
Diese Erlaubnis gilt {auf unbestimmte Zeit|bis auf Widerruf}. Über Gebühren wird am {next} entschieden.

== fr unlimited | none
Permis B de {name}
{Expire le : jamais|Durée de validité : indéterminée|Valable jusqu'au : sans limite}   Rendez-vous : {next}

== fr unlimited | none
La présente autorisation est accordée {sans limitation de durée|pour une durée indéterminée}. Réunion du conseil : {next}.

== es unlimited | none
Licencia de apertura
{Vence: nunca|Vigencia: ilimitada|Fecha de vencimiento: no aplica|Válido hasta: indefinido}     Próxima visita: {next}

== it unlimited | none
Abilitazione di {name}
{Scade il: mai|Data di scadenza: illimitata|Valido fino al: senza scadenza}     Prossimo controllo: {next}

== nl unlimited | none
Vergunning van {company}
{Geldig tot: onbepaalde tijd|Vervaldatum: n.v.t.|Verloopt op: nooit|Geldig tot: onbeperkt}     Volgende inspectie: {next}

== en empty | none
APPLICATION FORM
Card number: ____________
Date of expiry: ____________
Preferred date of appointment: {next}
Signature: ____________

== en empty | none | DD MMM YYYY;YYYY-MM-DD
Name,Expiry date,Next review
{name},,{next}

== de empty | none | DD.MM.YYYY
Name;Gültig bis;Nächstes Gespräch
{name};;{next}

== es empty | none
Titular: {name}
Fecha de caducidad:
Próxima cita: {next}

== it empty | none
Titolare: {name}
Scadenza: {-|//|non prevista}
Prossimo appuntamento: {next}

== nl empty | none
Houder: {name}
Geldig tot: {-|.........|n.v.t.}
Volgende afspraak: {next}

== en other date | none
DELIVERY NOTE {no:####}
Dispatched {print}
Expected delivery: {soon}
Driver: {name}

== en other date | none
INVITATION
{company} invites you to its annual safety day in {city} on {next}. Please reply by {soon}.

== fr other date | none
FACTURE N° {no:####}
Date de facture : {print}
{Date limite de paiement|À régler avant le|Échéance de paiement} : {soon}
Total TTC : 912,40 €

== de other date | none
RECHNUNG {no:####}
Rechnungsdatum: {print}
{Zahlbar bis|Zahlungsziel|Fälligkeit der Zahlung}: {soon}
Betrag: 310,00 EUR

== es other date | none
PRESUPUESTO {no:###}
Fecha: {print}
Esta oferta es válida hasta el {soon}.

== it other date | none
PREVENTIVO n. {no:###}
Data: {print}
La presente offerta è valida fino al {soon}.

== nl other date | none
OFFERTE {no:####}
Datum: {print}
Deze offerte is geldig tot {soon}.

== en other date | none
Marriage certificate
Spouses: {name} and {name2}
Date of marriage: {issue}
Passport of the spouse expires on {next}

== en other date | none
HANDOVER RECORD
Dishwasher handed over to {name} on {print}, together with two keys.
The maker's warranty on the pump ends on {next}.

== nl other date | none
GEBOORTEAKTE
Naam: {name}
Geboren op {birth}
Afschrift afgegeven op {print}

== en open | question early late | D MMMM YYYY;MMMM D, YYYY;YYYY-MM-DD
Category AM: expires {early}
Category B: expires {late}
Holder: {name}

== en open | question early late | D MMMM YYYY;DD MMM YYYY
Medical certificate valid until {early}. Licence valid until {late}.

== en table | question early late | YYYY-MM-DD;DD MMM YYYY
Extinguisher\tExpires
Hall\t{early}
Kitchen\t{late}

== de open | question early late | DD.MM.YYYY;D. MMMM YYYY
Teil 1 des Zertifikats läuft am {early} ab, Teil 2 am {late}.

== de table | question early late | DD.MM.YYYY
Mitarbeiter;Ausweis gültig bis
{name};{late}
{name2};{early}

== fr open | question early late | DD/MM/YYYY;Do MMMM YYYY
Assurance : expire le {early}
Contrôle technique : expire le {late}

== es table | question early late | DD/MM/YYYY
Conductor,Permiso válido hasta
{name},{early}
{name2},{late}

== it open | question early late | DD/MM/YYYY;Do MMMM YYYY
Patente A: scade il {late}
Patente B: scade il {early}

== nl open | question early late | DD-MM-YYYY;D MMMM YYYY
Paspoort geldig tot {late}
Visum geldig tot {early}

== en open | question early late | D MMMM YYYY;MMMM D, YYYY
This approval is valid until {early} or {late}, as the director may decide.

== en open | question early | D MMMM YYYY;MMMM D, YYYY
Identity document of the applicant's father (not the applicant): passport, expires {early}.

== en counted | question start start+6m start+6m-1d | D MMMM YYYY;MMMM D, YYYY
Valid for six months from {start}.

== en counted | question base base+1y base+1y-1d | D MMMM YYYY;YYYY-MM-DD
The licence lapses twelve months after {base}.

== en counted | question start start+5y start+5y-1d | D MMMM YYYY;MMMM D, YYYY
Date of certification: {start}
Period of validity: 5 years

== en counted | question base base-30d base-1m | D MMMM YYYY;MMMM D, YYYY
Renewal applications must be lodged at least thirty days before {base}.

== de counted | question start start+2y start+2y-1d | DD.MM.YYYY;D. MMMM YYYY
Ausgestellt am {start}
Gültigkeitsdauer: zwei Jahre ab Ausstellung

== de counted | question base base+6m base+6m-1d | DD.MM.YYYY;D. MMMM YYYY
Die Erlaubnis erlischt sechs Monate nach dem {base}.

== fr counted | question start start+5y start+5y-1d | DD/MM/YYYY;Do MMMM YYYY
Attestation délivrée le {start}, valable cinq ans.

== es counted | question start start+2y start+2y-1d | DD/MM/YYYY;D de MMMM de YYYY
Expedido el {start}. Validez: dos años desde la fecha de expedición.

== it counted | question start start+1y start+1y-1d | DD/MM/YYYY;Do MMMM YYYY
Il certificato ha validità di un anno dal {start}.

== nl counted | question start start+3y start+3y-1d | DD-MM-YYYY;D MMMM YYYY
Afgegeven op {start}. Geldig gedurende drie jaar na afgifte.

== en ambiguous | question expiry expiry~ | DD/MM/YYYY;MM/DD/YYYY | ambiguous
SITE INDUCTION CARD
{name}, {company}
{Card valid to|Induction expires|Expiry}{=}{expiry}

== en ambiguous | question expiry expiry~ | DD/MM/YYYY;MM/DD/YYYY | ambiguous
This authorisation is valid from {start} until {expiry}.

== en ambiguous | question expiry expiry~ | DD/MM/YYYY;MM/DD/YYYY | ambiguous
Fecha de vencimiento / Expiration date: {expiry}
Nombre / Name: {name}

== en ambiguous | question expiry expiry~ | DD/MM/YYYY | ambiguous
Holder,Card,Expiry date
{name},{no:AA-##},{expiry}
== en other date
TAXI DRIVER LICENCE {no:####}
Licensee{=}{name}
Licence expires{=}{expiry}
The warranty of the meter ends on {next}. The licensee's spouse holds passport {no:A#######}, which expires on {other}.

== en other date | none
ACCESS TO THE CUSTOMER PORTAL
User name: {last}{no:##}
The first password must be changed by {soon}. It expires on {next}.

== en labelled
{company}
Declarations page

Named insured          {company2}
Mailing address          14 Quay Street, {city}
Form of business          Corporation
Policy number          {no:AAA ####}
Policy period
  From{=}{start}
  {To|Expiring}{=}{expiry}
  12:01 a.m. standard time at the address above

Annual premium          $4,318.00
First instalment due          {soon}
Agent          {name}
Forms attached          CG 00 01, IL 00 17

== en prose
{company}
{city}, {print}

Dear {name},

Your firearm certificate

We have considered the application that you signed on {issue}. We are satisfied that you meet the conditions, and enclose your new certificate. Please check that your date of birth ({birth}) is shown correctly.

The certificate is valid until {expiry}. We will write to you about ten weeks before that. Keep it in a safe place and tell us if you move.

Yours sincerely
{name2}

== de prose
{company}
{city}, {print}

Sehr geehrter Herr {last},

vielen Dank für Ihre Unterlagen vom {issue}. Anbei erhalten Sie Ihren neuen Fahrerqualifizierungsnachweis. Er ist bis zum {expiry} gültig. Die Gebühr von 42,50 EUR bitten wir bis {soon} zu überweisen.

Freundliche Grüße
{name}

== fr prose
{city}, le {print}

Madame {last},

À la suite de votre demande du {issue}, nous vous adressons votre carte de résident. Elle est valable jusqu'au {expiry}. La taxe de 225 € est à régler avant le {soon}.

Le chef de bureau, {name}

== nl prose
{city}, {print}

Geachte mevrouw {last},

Naar aanleiding van uw aanvraag van {issue} ontvangt u hierbij uw nieuwe verblijfsvergunning. De vergunning is geldig tot {expiry}. De leges betaalt u voor {soon}.

Met vriendelijke groet, {name}

== it labelled
CARTA DI CIRCOLAZIONE
Targa{=}{no:AA###AA}
Intestatario{=}{company}
Immatricolata il{=}{old}
Ultima revisione{=}{issue}
{Revisione valida fino al|Scadenza revisione}{=}{expiry}

== es labelled
PASAPORTE
Apellidos{=}{last} {last2}
Nombre{=}{first}
Fecha de nacimiento{=}{birth}
Fecha de expedición{=}{issue}
Fecha de caducidad{=}{expiry}
Autoridad{=}{city}

== es other date
Certificado de profesionalidad de {name}
Modelo {no:###}, edición del {old}
Válido hasta: {expiry}
Cuota pendiente de pago antes del {soon}
`);

/** Makes the texts that only the closing figures are taken from. */
export function heldOutCorpus(): CorpusCase[] {
  return makeCorpus(templates, 1500, 27_041);
}
