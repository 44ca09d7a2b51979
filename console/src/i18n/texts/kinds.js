/** @satisfies {Record<string, import('./index.js').Row>} */
export default {
  ACTION: ['Action', 'Aktion', 'Action', 'Acción', 'Azione', 'Actie'],
  ATTACHMENT: ['File', 'Datei', 'Fichier', 'Archivo', 'File', 'Bestand'],
  CATEGORY: ['Document type', 'Dokumentart', 'Type de document', 'Tipo de documento', 'Tipo di documento', 'Documenttype'],
  COMPANY: ['Company', 'Firma', 'Société', 'Empresa', 'Azienda', 'Bedrijf'],
  CONTACT: ['Contact', 'Kontakt', 'Contact', 'Contacto', 'Contatto', 'Contact'],
  DOCUMENT_REQUEST: ['Request for a document', 'Angefordertes Dokument', 'Document demandé', 'Documento pedido', 'Documento richiesto', 'Opgevraagd document'],
  EXPIRATION_ITEM: ['Item', 'Eintrag', 'Élément', 'Elemento', 'Elemento', 'Item'],
  LOCATION: ['Location', 'Ort', 'Lieu', 'Ubicación', 'Luogo', 'Locatie'],
  NOTE: ['Note', 'Notiz', 'Note', 'Nota', 'Nota', 'Notitie'],
  REQUIREMENT: ['Requirement', 'Anforderung', 'Exigence', 'Requisito', 'Requisito', 'Vereiste'],
  SCREEN: ['Screen', 'Bereich', 'Écran', 'Pantalla', 'Schermata', 'Scherm'],
  TAG: ['Tag', 'Schlagwort', 'Étiquette', 'Etiqueta', 'Etichetta', 'Label'],
  TEAM: ['Workspace', 'Arbeitsbereich', 'Espace de travail', 'Espacio de trabajo', 'Area di lavoro', 'Werkruimte'],
  VEHICLE: ['Vehicle', 'Fahrzeug', 'Véhicule', 'Vehículo', 'Veicolo', 'Voertuig'],
};
