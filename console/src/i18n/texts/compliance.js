/** @satisfies {Record<string, import('./index.js').Row>} */
export default {
  DUE: ['Due soon', 'Bald fällig', 'Bientôt dû', 'Vence pronto', 'In scadenza', 'Bijna verlopen'],
  EXEMPT: ['Exempt', 'Ausgenommen', 'Dispensé', 'Exento', 'Esente', 'Vrijgesteld'],
  EXPIRED: ['Expired', 'Abgelaufen', 'Expiré', 'Caducado', 'Scaduto', 'Verlopen'],
  MET: ['Valid', 'Gültig', 'Valable', 'Vigente', 'Valido', 'Geldig'],
  MISSING: ['Missing', 'Fehlt', 'Manquant', 'Falta', 'Mancante', 'Ontbreekt'],
  PENDING: ['Not yet due', 'Noch Zeit', 'Pas encore exigé', 'Aún en plazo', 'Ancora in tempo', 'Nog niet vereist'],
  TOO_SHORT: ['Too short', 'Zu kurz gültig', 'Trop court', 'Validez corta', 'Validità breve', 'Te kort geldig'],
  add_paper: ['Add a paper', 'Papier hinzufügen', 'Ajouter un document', 'Añadir un documento', 'Aggiungi un documento', 'Papier toevoegen'],
  papers: ['Papers', 'Papiere', 'Documents', 'Documentos', 'Documenti', 'Papieren'],
  papers_none: ['No papers yet.', 'Noch keine Papiere.', 'Aucun document.', 'Sin documentos.', 'Nessun documento.', 'Nog geen papieren.'],
  state_COMPLIANT: ['Complete', 'Vollständig', 'Complet', 'Completo', 'Completo', 'Volledig'],
  state_DUE: ['Complete, but due soon', 'Vollständig, aber bald fällig', 'Complet, mais bientôt dû', 'Completo, pero vence pronto', 'Completo, ma in scadenza', 'Volledig, maar bijna verlopen'],
  state_NON_COMPLIANT: ['Not compliant', 'Nicht vollständig', 'Non conforme', 'No conforme', 'Non conforme', 'Niet in orde'],
  state_NOT_REQUIRED: ['Nothing is required', 'Nichts verlangt', 'Rien n’est exigé', 'No se exige nada', 'Nulla è richiesto', 'Niets vereist'],
  until: ['until {date}', 'bis {date}', 'jusqu’au {date}', 'hasta el {date}', 'fino al {date}', 'tot en met {date}'],
};
