/** @satisfies {Record<string, import('./index.js').Row>} */
export default {
  agenda: ['Day by day', 'Der Reihe nach', 'Un par un', 'Uno por uno', 'Uno per uno', 'Een voor een'],
  and_more: ['{n} more', '{n} weitere', '{n} de plus', '{n} más', 'altri {n}', 'nog {n}'],
  count: ['{n} item|{n} items', '{n} Eintrag|{n} Einträge', '{n} élément|{n} éléments', '{n} elemento|{n} elementos', '{n} elemento|{n} elementi', '{n} item|{n} items'],
  next: ['Next month', 'Nächster Monat', 'Mois suivant', 'Mes siguiente', 'Mese successivo', 'Volgende maand'],
  none: ['Nothing expires in this month.', 'In diesem Monat läuft nichts ab.', 'Rien n’expire ce mois-ci.', 'Nada caduca este mes.', 'Niente scade in questo mese.', 'Deze maand verloopt niets.'],
  previous: ['Previous month', 'Voriger Monat', 'Mois précédent', 'Mes anterior', 'Mese precedente', 'Vorige maand'],
  title: ['Calendar', 'Kalender', 'Calendrier', 'Calendario', 'Calendario', 'Kalender'],
  today: ['Today', 'Heute', 'Aujourd’hui', 'Hoy', 'Oggi', 'Vandaag'],
};
