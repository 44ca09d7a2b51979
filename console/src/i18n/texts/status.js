/** @satisfies {Record<string, import('./index.js').Row>} */
export default {
  archived: ['Archived', 'Archiviert', 'Archivé', 'Archivado', 'Archiviato', 'Gearchiveerd'],
  current: ['Current', 'Gültig', 'En cours', 'Vigente', 'Valido', 'Geldig'],
  expired: ['Expired', 'Abgelaufen', 'Expiré', 'Caducado', 'Scaduto', 'Verlopen'],
  missing: ['Document missing', 'Dokument fehlt', 'Document manquant', 'Falta el documento', 'Documento mancante', 'Document ontbreekt'],
  no_date: ['No date', 'Ohne Datum', 'Sans date', 'Sin fecha', 'Senza data', 'Geen datum'],
  notifying: ['Due soon', 'Bald fällig', 'Bientôt dû', 'Vence pronto', 'In scadenza', 'Bijna verlopen'],
};
