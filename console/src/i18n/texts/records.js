/** @satisfies {Record<string, import('./index.js').Row>} */
export default {
  add_field: ['Add a field', 'Feld hinzufügen', 'Ajouter un champ', 'Añadir un campo', 'Aggiungi un campo', 'Veld toevoegen'],
  archived: ['Archived', 'Archiviert', 'Archivé', 'Archivado', 'Archiviato', 'Gearchiveerd'],
  erase: ['Erase person', 'Person löschen', 'Effacer la personne', 'Borrar a la persona', 'Cancella persona', 'Persoon wissen'],
  erase_text: ['Also as a user. Cannot be undone.', 'Auch als Benutzer. Endgültig.', 'Aussi comme utilisateur. Définitif.', 'También como usuario. Definitivo.', 'Anche come utente. Definitivo.', 'Ook als gebruiker. Definitief.'],
  expires_here: ['Items', 'Einträge', 'Éléments', 'Elementos', 'Elementi', 'Items'],
  expires_none: ['There are no items here.', 'Hier gibt es keine Einträge.', 'Il n’y a aucun élément ici.', 'Aquí no hay elementos.', 'Qui non ci sono elementi.', 'Hier zijn geen items.'],
  facts: ['Details', 'Angaben', 'Détails', 'Datos', 'Dati', 'Gegevens'],
  field_name: ['Field name', 'Name des Felds', 'Nom du champ', 'Nombre del campo', 'Nome del campo', 'Naam van het veld'],
  field_value: ['Value', 'Wert', 'Valeur', 'Valor', 'Valore', 'Waarde'],
  history: ['History', 'Verlauf', 'Historique', 'Historial', 'Cronologia', 'Geschiedenis'],
  is_now: ['now “{value}”', 'jetzt „{value}“', 'maintenant « {value} »', 'ahora «{value}»', 'ora “{value}”', 'nu ‘{value}’'],
  keep_mine: ['Keep mine', 'Meine Eingaben behalten', 'Garder ma saisie', 'Conservar lo mío', 'Tieni ciò che ho scritto', 'Mijn invoer houden'],
  next_date: ['Next date', 'Nächstes Datum', 'Prochaine date', 'Próxima fecha', 'Prossima data', 'Volgende datum'],
  see_all: ['See {n}|See all {n}', '{n} zeigen|Alle {n} zeigen', 'Voir {n}|Voir les {n}', 'Ver {n}|Ver los {n}', 'Vedi {n}|Vedi tutti e {n}', '{n} tonen|Alle {n} tonen'],
  take_theirs: ['Use theirs', 'Das andere übernehmen', 'Prendre l’autre version', 'Tomar lo del otro', 'Prendi l’altra versione', 'Die van de ander nemen'],
};
