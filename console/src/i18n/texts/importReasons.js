// What is wrong with the rows of a file. screens/imports/reasons.ts finds them by the gateway's words.

/** @satisfies {Record<string, import('./index.js').Row>} */
export default {
  alike: ['looks like line {one}', 'sieht aus wie Zeile {one}', 'ressemble à la ligne {one}', 'se parece a la línea {one}', 'somiglia alla riga {one}', 'lijkt op regel {one}'],
  cells: ['has {one} cells, and the header has {two}', 'hat {one} Zellen, die Kopfzeile hat {two}', 'a {one} cellules, l’en-tête en a {two}', 'tiene {one} celdas; el encabezado, {two}', 'ha {one} celle, l’intestazione ne ha {two}', 'heeft {one} cellen; de kopregel heeft er {two}'],
  chosen: ['is left out, as you chose for {one}', 'wird ausgelassen, wie für {one} gewählt', 'est ignorée, comme choisi pour {one}', 'se omite, como eligió para {one}', 'viene ignorata, come scelto per {one}', 'wordt weggelaten, zoals gekozen voor {one}'],
  date: ['must be a date such as {one}', 'muss ein Datum sein wie {one}', 'doit être une date comme {one}', 'debe ser una fecha como {one}', 'deve essere una data come {one}', 'moet een datum zijn zoals {one}'],
  exists: ['exists already', 'gibt es schon', 'existe déjà', 'ya existe', 'esiste già', 'bestaat al'],
  formula: ['is an error of a formula, and is left out', 'ist ein Fehler einer Formel und wird ausgelassen', 'est une erreur de formule, et est ignoré', 'es un error de una fórmula y se omite', 'è un errore di una formula, e viene ignorato', 'is een fout van een formule en wordt weggelaten'],
  left_out: ['is not found, and is left out: {one}', 'wird nicht gefunden und ausgelassen: {one}', 'est introuvable, et ignoré : {one}', 'no se encuentra y se omite: {one}', 'non si trova, e viene ignorato: {one}', 'is niet gevonden en wordt weggelaten: {one}'],
  no_day: ['is not a day of the calendar', 'ist kein Tag im Kalender', 'n’est pas un jour du calendrier', 'no es un día del calendario', 'non è un giorno del calendario', 'is geen dag van de kalender'],
  no_match: ['matches no record that exists', 'passt zu keinem vorhandenen Datensatz', 'ne correspond à aucun enregistrement', 'no coincide con ningún registro', 'non corrisponde a nessun dato esistente', 'hoort bij geen bestaand gegeven'],
  nobody: ['names nobody who is known: {one}', 'nennt niemanden, der bekannt ist: {one}', 'ne nomme personne de connu : {one}', 'no nombra a nadie conocido: {one}', 'non nomina nessuno di noto: {one}', 'noemt niemand die bekend is: {one}'],
  not_found: ['is not found: {one}', 'wird nicht gefunden: {one}', 'est introuvable : {one}', 'no se encuentra: {one}', 'non si trova: {one}', 'is niet gevonden: {one}'],
  number: ['must be a number such as {one}', 'muss eine Zahl sein wie {one}', 'doit être un nombre comme {one}', 'debe ser un número como {one}', 'deve essere un numero come {one}', 'moet een getal zijn zoals {one}'],
  order: ['is {one}: choose the order of dates', 'ist {one}: Wählen Sie die Schreibweise', 'est {one} : choisissez le format', 'es {one}: elija el formato', 'è {one}: scegli il formato', 'is {one}: kies de notatie'],
  people: ['names several people: {one}', 'kann mehrere Personen meinen: {one}', 'désigne plusieurs personnes : {one}', 'nombra a varias personas: {one}', 'nomina più persone: {one}', 'kan meer personen zijn: {one}'],
  required: ['is required', 'fehlt', 'est obligatoire', 'es obligatorio', 'è obbligatorio', 'is verplicht'],
  rounded: ['looks like a number that a spreadsheet has rounded', 'sieht aus wie eine gerundete Zahl', 'ressemble à un nombre arrondi par un tableur', 'parece un número redondeado por la hoja de cálculo', 'sembra un numero arrotondato dal foglio di calcolo', 'lijkt een door een spreadsheet afgerond getal'],
  same: ['is the same record as line {one}', 'ist derselbe Datensatz wie Zeile {one}', 'est le même enregistrement que la ligne {one}', 'es el mismo registro que la línea {one}', 'è lo stesso dato della riga {one}', 'is hetzelfde gegeven als regel {one}'],
  several: ['matches several records: add their ids', 'passt zu mehreren Datensätzen: Ergänzen Sie deren IDs', 'correspond à plusieurs enregistrements : ajoutez leurs identifiants', 'coincide con varios registros: añada sus ids', 'corrisponde a più dati: aggiungi i loro id', 'hoort bij meer gegevens: voeg hun id toe'],
  truth: ['must be yes or no', 'muss ja oder nein sein', 'doit être oui ou non', 'debe ser sí o no', 'deve essere sì o no', 'moet ja of nee zijn'],
  undated: ['says that there is no date', 'sagt, dass es kein Datum gibt', 'dit qu’il n’y a pas de date', 'dice que no hay fecha', 'dice che non c’è una data', 'zegt dat er geen datum is'],
  whole: ['must be a whole number', 'muss eine ganze Zahl sein', 'doit être un nombre entier', 'debe ser un número entero', 'deve essere un numero intero', 'moet een geheel getal zijn'],
  year: ['becomes {one}: is the year right?', 'wird {one}: Stimmt das Jahr?', 'devient {one} : l’année est-elle juste ?', 'pasa a ser {one}: ¿es correcto el año?', 'diventa {one}: l’anno è giusto?', 'wordt {one}: klopt het jaar?'],
};
