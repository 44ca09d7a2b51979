import { type CorpusCase, makeCorpus, parseTemplates } from './corpus.js';

const templates = parseTemplates(`
== en labelled
{company}
FOOD HYGIENE LICENCE
Licence No.{=}{no:AA-####}
Holder{=}{name}
Date of issue{=}{issue}
{Valid until|Expiry date|Date of expiry|Expires}{=}{expiry}
Signed for the council of {city}

== en labelled
CERTIFICATE OF INSURANCE
Policy number {no:AAA ### ###}
Insured: {company}
Effective date: {start}
Expiration date: {expiry}
Limit of liability: $2,000,000 each occurrence
Certificate printed {print}

== en labelled
Driver's name: {name}
Date of birth: {birth}
Class C, E
Issued: {issue}    {Expires|Exp.|EXP}: {expiry}
Restrictions: corrective lenses

== en labelled
OPERATOR TRAINING CARD
{name}
Counterbalance lift truck, up to 5 t
Trained on{=}{issue}
Instructor{=}{name2}
{Refresher due by|Card valid to|Valid through}{=}{expiry}

== de labelled
{Sachkundenachweis|Befähigungsnachweis|Qualifikationsnachweis}
Herr/Frau {name}, geb. {birth}
Ausgestellt am{=}{issue}
{Gültig bis|Ablaufdatum|Gültig bis einschließlich}{=}{expiry}
{city}, den {issue}

== de labelled
Versicherungsbestätigung
Versicherungsnehmer: {company}
Vertragsnummer: {no:A ### ### ##}
Versicherungsbeginn: {start}
Versicherungsablauf: {expiry}, 12 Uhr
Druckdatum: {print}

== de labelled
PERSONALAUSWEIS
Name: {last}
Vornamen: {first}
Geburtstag: {birth}
Staatsangehörigkeit: DEUTSCH
Gültig bis: {expiry}

== fr labelled
CERTIFICAT DE FORMATION
Titulaire{=}{name}
Né(e) le{=}{birth}
Délivré le{=}{issue}
{Valable jusqu'au|Date d'expiration|Valide jusqu'au|Expire le}{=}{expiry}

== fr labelled
ATTESTATION D'ASSURANCE RESPONSABILITÉ CIVILE
Souscripteur : {company}
Contrat n° {no:##.###.A}
Période de validité : du {start} au {expiry}
Fait à {city}, le {print}

== es labelled
CARNÉ DE OPERADOR
Nombre y apellidos{=}{name}
Fecha de nacimiento{=}{birth}
Fecha de expedición{=}{issue}
{Válido hasta|Fecha de caducidad|Fecha de vencimiento|Caduca el}{=}{expiry}

== es labelled
PÓLIZA DE SEGURO DE VEHÍCULOS
Tomador: {company}
Matrícula: {no:####} {no:AAA}
Fecha de efecto: {start}
Vencimiento: {expiry}
Emitido el {print} en {city}

== it labelled
PATENTINO PER CARRELLI ELEVATORI
Rilasciato a{=}{name}
Nato il{=}{birth}
Data di rilascio{=}{issue}
{Valido fino al|Data di scadenza|Scadenza|Scade il}{=}{expiry}

== it labelled
POLIZZA N. {no:###/####}
Contraente: {company}
Decorrenza: ore 24 del {start}
Scadenza: ore 24 del {expiry}
Data di stampa: {print}

== nl labelled
VEILIGHEIDSCERTIFICAAT VCA
Naam{=}{name}
Geboortedatum{=}{birth}
Datum van afgifte{=}{issue}
{Geldig tot|Geldig tot en met|Vervaldatum|Verloopt op}{=}{expiry}

== nl labelled
KEURINGSRAPPORT HEFTRUCK
Serienummer: {no:A#####}
Eigenaar: {company}
Keuringsdatum: {issue}
Gekeurd door: {name}
Geldig tot: {expiry}

== en labelled
MEDICAL EXAMINER'S CERTIFICATE
I certify that I have examined {name} (born {birth}) and find this person qualified.
Date of examination: {issue}
Medical certificate expiration date: {expiry}
National registry number {no:#######}

== en layout
                 LICENSE
{name}
{birth}            {issue}            {expiry}
Date of birth            Date of issue            Date of expiry

== en layout
Name
{name}
Number
{no:AA###}
Issued on
{issue}
{Valid until|Expires on}
{expiry}

== en layout
{no:A-####}
Permit number
{issue}
Issue date
{expiry}
Expiration date

== de layout
Ausstellungsdatum        Gültig bis
{issue}               {expiry}
Ausstellende Behörde
Stadt {city}

== de layout
{last}, {first}
Name, Vorname
{birth}
Geburtsdatum
{expiry}
gültig bis

== fr layout
Date de délivrance
{issue}
Date d'expiration
{expiry}
Autorité
Préfecture de {city}

== fr layout
{issue}                     {expiry}
Délivré le                     Expire le
{name}
Signature du titulaire

== es layout
Apellidos
{last}
Nombre
{first}
Expedición          Validez
{issue}          {expiry}

== it layout
Cognome e nome
{last} {first}
Rilasciata il
{issue}
Valida fino al
{expiry}
Firma del titolare

== nl layout
Datum afgifte            Geldig tot
{issue}            {expiry}
Burgemeester van {city}

== en table | expiry | YYYY-MM-DD;MM/DD/YYYY;DD MMM YYYY
Name,Certificate,Issued,Expires,Next audit
{name},{no:AA-###},{issue},{expiry},{next}

== de table | expiry | DD.MM.YYYY;YYYY-MM-DD
Mitarbeiter;Schulung;Absolviert am;Gültig bis;Bemerkung
{name};Ladungssicherung;{issue};{expiry};Nachschulung angemeldet

== fr table | expiry | DD/MM/YYYY;YYYY-MM-DD
Salarié;Habilitation;Date d'obtention;Date d'expiration
{name};Électrique B1V;{issue};{expiry}

== en table | expiry | YYYY-MM-DD;DD MMM YYYY;DD/MM/YYYY
Asset\tSerial\tCalibrated\tCalibration due\tBy
Torque wrench\t{no:AA###}\t{issue}\t{expiry}\t{name}

== nl table | expiry | DD-MM-YYYY
Kenteken\tMerk\tAPK-datum\tVervaldatum APK
{no:AA-##-AA}\tMercedes\t{issue}\t{expiry}

== es table | expiry | DD/MM/YYYY
Trabajador;DNI;Fecha del curso;Fecha de caducidad;Próxima reunión
{name};{no:########}{no:A};{issue};{expiry};{next}

== it table | expiry | DD/MM/YYYY
Dipendente;Corso;Data corso;Scadenza
{name};Primo soccorso;{issue};{expiry}

== en prose
Dear {name},

thank you for renewing with us on {print}. Your membership {no:A###} {remains valid until|expires on|will expire on|is valid through} {expiry}. We look forward to seeing you.

Kind regards
{name2}

== en prose
This is to certify that {company}, {city}, operates a management system that was audited on {issue}. The certificate is valid from {start} until {expiry}, subject to satisfactory surveillance audits.

== en prose
LEASE AGREEMENT between {name} (tenant) and {company} (landlord), made on {issue}. The term of this lease shall commence on {start} and shall end on {expiry}. Rent is payable on the first of each month.

== de prose
Sehr geehrte Frau {last},

Ihr Aufenthaltstitel wurde am {issue} erteilt und {läuft am {expiry} ab|ist bis zum {expiry} gültig|gilt bis {expiry}}. Bitte sprechen Sie rechtzeitig vor.

Mit freundlichen Grüßen
{name}

== de prose
Der Mietvertrag zwischen {company} und {name} beginnt am {start} und endet am {expiry}. Die Miete ist bis zum dritten Werktag zu zahlen.

== fr prose
Monsieur {last},
Nous vous confirmons que votre carte professionnelle, délivrée le {issue}, {est valable jusqu'au {expiry}|expire le {expiry}|expirera le {expiry}}.
Veuillez agréer nos salutations distinguées.

== es prose
Por la presente se certifica que {name} superó el curso el {issue}. El presente certificado {es válido hasta el {expiry}|caduca el {expiry}|vence el {expiry}}.

== it prose
Si attesta che {name}, nato il {birth}, ha superato la visita medica del {issue}. L'idoneità {è valida fino al {expiry}|scade il {expiry}}.

== nl prose
Geachte heer {last},
Uw parkeervergunning voor kenteken {no:AA-##-AA} is verleend op {issue} en {is geldig tot en met {expiry}|verloopt op {expiry}}.
Gemeente {city}

== en bilingual | expiry | DD MMM YYYY;YYYY-MM-DD
PASSPORT / PASSEPORT
Surname / Nom: {last}
Given names / Prénoms: {first}
Date of birth / Date de naissance: {birth}
Date of issue / Date de délivrance: {issue}
Date of expiry / Date d'expiration: {expiry}

== de bilingual | expiry | DD.MM.YYYY
Name / Name: {name}
Ausgestellt am / Issued on: {issue:D MMMM YYYY}
Gültig bis / Valid until: {expiry:YYYY-MM-DD}

== fr bilingual | expiry | DD/MM/YYYY
Naam / Nom : {name}
Afgegeven op / Délivré le : {issue}
Geldig tot / Valable jusqu'au : {expiry}

== en format | expiry | MM/DD/YYYY | free
Applicant: {name}
Date issued (MM/DD/YYYY): {issue}
Expiration date (MM/DD/YYYY): {expiry}

== en format | expiry | DD/MM/YYYY | free
Card holder {name}
Valid until: {expiry} (DD/MM/YYYY)

== fr format | expiry | DD/MM/YYYY | free
Nom du titulaire : {name}
Date d'expiration (JJ/MM/AAAA) : {expiry}

== de format | expiry | DD.MM.YYYY | free
Name: {name}
Gültig bis (TT.MM.JJJJ): {expiry}

== en month | expiry@end
{company}
Loyalty and access card
{name}
No. {no:#### ####}
{VALID THRU|EXP|Valid until} {expiry:MM/YYYY}

== de month | expiry@end
Kennzeichen: {no:AA A ###}
Nächste Hauptuntersuchung
fällig {expiry:MM/YYYY}

== en decided | early | D MMMM YYYY;MMMM D, YYYY
This permit is valid until {late} or {early}, whichever is {earlier|the earlier|sooner}.

== en decided | late | D MMMM YYYY;MMMM D, YYYY
The licence expires on {early} or {late}, whichever is {later|the later}.

== en decided | late | D MMMM YYYY;DD MMM YYYY
Work permit {no:A-####}, valid until {early}, extended to {late}.
Holder: {name}

== de decided | late | DD.MM.YYYY;D. MMMM YYYY
Genehmigung {no:A-###}
Gültig bis {early}, verlängert bis {late}

== fr decided | late | DD/MM/YYYY;Do MMMM YYYY
Autorisation valable jusqu'au {early}, prolongée jusqu'au {late}.
Le maire de {city}

== en decided | expiry | D MMMM YYYY;MMMM D, YYYY
Registration {no:AA-###} of {company}.
Renewed on {issue}. Valid until {expiry}.

== de decided | early | DD.MM.YYYY
Diese Bescheinigung gilt bis zum {early} oder bis zum {late}, je nachdem, welcher Zeitpunkt früher eintritt.

== en negated
EXPLOSIVES PERMIT
Permit holder: {company}
Issued {issue}
{Not valid after|Do not use after|Not to be used after|Void after} {expiry}

== de negated
Einfahrtberechtigung für {name}
Ausgestellt: {issue}
{Nicht mehr gültig nach dem {expiry}|Nach dem {expiry} ungültig}

== fr negated | expiry | Do MMMM YYYY;DD/MM/YYYY
Laissez-passer n° {no:###}
Non valable après le {expiry}
Établi le {issue}

== it negated
Permesso di accesso n. {no:###}
Non valido dopo il {expiry}
Emesso il {issue} a {city}

== en two labels
CERTIFICATE OF CALIBRATION
Instrument: pressure gauge {no:AA-###}
Date of calibration{=}{issue}
Certificate issued{=}{print}
Next calibration due{=}{expiry}

== en two labels
Valid from: {start}  Valid until: {expiry}
Holder: {name}  Born: {birth}

== de two labels
Gültig ab: {start} Gültig bis: {expiry}
Inhaber: {name}

== fr two labels
Valable du : {start} Valable jusqu'au : {expiry}
Titulaire : {name}

== es two labels
Válido desde: {start} Válido hasta: {expiry}
Titular: {name}

== it two labels
Valido dal: {start} Valido fino al: {expiry}
Intestatario: {name}

== nl two labels
Geldig van: {start} Geldig tot: {expiry}
Houder: {name}

== en two labels
Expiry date: {expiry}
Next review: {next}
Reviewed by: {name}

== de two labels
Gültig bis: {expiry}
Nächste Prüfung: {next}
Prüfer: {name}

== en other date
PROFESSIONAL LICENSE
Form DL-{no:##} (edition of {old})
Licensee: {name}
License expires: {expiry}
Spouse's passport number {no:A#######} (seen {print})

== en labelled
{company} - Annual inspection of passenger lift {no:A##}
Result: passed
Inspected on {issue} by {name}
Inspection valid until {expiry}
Invoice due {soon}

== en unlimited | none
TRAINING CERTIFICATE
Holder: {name}
Issued: {issue}
{Valid until: unlimited|Expiry date: none|Valid until further notice|This certificate does not expire|Expires: never}
Next meeting: {next}

== de unlimited | none
Führerschein Klasse B
Inhaber: {name}
Erteilt am {issue}
{Gültig bis: unbefristet|Gültig bis auf Weiteres|Ablaufdatum: keines|Gültigkeit: unbegrenzt}, nächste Prüfung {next}

== fr unlimited | none
Attestation de compétence
Titulaire : {name}
{Date d'expiration : néant|Validité : illimitée|Valable jusqu'à nouvel ordre|Date d'expiration : sans objet}
Prochaine visite : {next}

== es unlimited | none
Título de manipulador
Titular: {name}
{Fecha de caducidad: ninguna|Validez: indefinida|Válido hasta nuevo aviso}
Próxima revisión: {next}

== it unlimited | none
Attestato di frequenza
{Scadenza: nessuna|Validità: illimitata|Valido fino a nuovo avviso}
Prossima verifica: {next}

== nl unlimited | none
Diploma
{Vervaldatum: geen|Geldigheid: onbeperkt|Geldig tot nader order}
Volgende controle: {next}

== en empty | none
Name: {name}
Expiry date:
Next review: {next}

== en empty | none
Permit no. {no:A-###}
{Expiry date: n/a|Expiry date: N/A|Expiration: not applicable|Valid until: ---} Next review: {next}

== de empty | none
Inhaber: {name}
Gültig bis: ____________
Nächster Termin: {next}

== fr empty | none
Nom : {name}
Date d'expiration :
Prochain contrôle : {next}

== en other date | none
INVOICE {no:####}
Invoice date: {print}
{Payment due|Due date|Payable by}: {soon}
Total: $1,240.00

== en other date | none
{company} - QUOTATION
Offer date {print}
This offer is valid until {soon}. Prices exclude VAT.

== en other date | none
Welcome, {name}. Your account was created on {print}.
Your password expires on {soon}.

== de other date | none
ANGEBOT Nr. {no:####}
Datum: {print}
Dieses Angebot ist gültig bis {soon}.

== en other date | none
BIRTH CERTIFICATE
Name: {name}
Date of birth: {birth}
Registered on: {issue}
Certified copy issued on: {print}

== en open | question early late | D MMMM YYYY;MMMM D, YYYY
The certificate expires on {early} for class A and on {late} for class B.

== en open | question early late | YYYY-MM-DD;D MMMM YYYY
Passport expires: {early}
Visa expires: {late}

== de open | question early late | DD.MM.YYYY
Klasse B gültig bis {late}
Klasse C gültig bis {early}

== en table | question early late | YYYY-MM-DD
Name,Expires
{name},{early}
{name2},{late}

== fr open | question early late | DD/MM/YYYY
Catégorie A : valable jusqu'au {early}
Catégorie B : valable jusqu'au {late}

== es open | question early late | DD/MM/YYYY
Seguro: vence el {early}
Inspección técnica: vence el {late}

== en counted | question base base+1y base+1y-1d base-1y | D MMMM YYYY;MMMM D, YYYY
The training must be repeated within one year of {base}.

== en counted | question start start+2y start+2y-1d | D MMMM YYYY;MMMM D, YYYY
This certificate is valid for two years from {start}.

== de counted | question start start+3y start+3y-1d | DD.MM.YYYY;D. MMMM YYYY
Diese Bescheinigung ist drei Jahre ab dem {start} gültig.

== fr counted | question start start+1y start+1y-1d | DD/MM/YYYY;Do MMMM YYYY
Valable un an à compter du {start}.

== it counted | question start start+5y start+5y-1d | DD/MM/YYYY;Do MMMM YYYY
Validità: cinque anni dal {start}.

== nl counted | question start start+2y start+2y-1d | DD-MM-YYYY;D MMMM YYYY
Dit certificaat is twee jaar geldig vanaf {start}.

== en ambiguous | question expiry expiry~ | DD/MM/YYYY;MM/DD/YYYY | ambiguous
Name: {name}
{Expiry date|Valid until|Expires}{=}{expiry}

== en ambiguous | question expiry expiry~ | DD/MM/YYYY;MM/DD/YYYY | ambiguous
Issued {issue}, expires {expiry}
Card no. {no:###-###}

== en ambiguous | question expiry expiry~ | DD/MM/YYYY;MM/DD/YYYY | ambiguous
Expiry date / Date d'expiration: {expiry}
Holder / Titulaire: {name}

== en decided | question expiry | D MMMM YYYY;YYYY-MM-DD
This card is issued in place of card no. {no:###}, which expires on {expiry}.
`);

/** Makes the texts that the reading of dates is worked on with. */
export function workCorpus(): CorpusCase[] {
  return makeCorpus(templates, 300, 6107);
}
