// Made from the OpenAPI document by `npm run contracts` of the gateway.

/** Operations by the names of their methods: method, path, and whether it takes a body or lists pages. */
export const routes = {
  expirationItems: {
    /** Reads the acknowledgement of an item's current date. */
    acknowledgement: ['GET', '/v1/expirationitems/{id}/acknowledgement'],
    /** Acknowledges an item's current date and replaces an earlier acknowledgement. This stops repeated and escalated reminders. */
    setAcknowledgement: ['POST', '/v1/expirationitems/{id}/acknowledgement', 'body'],
    /** Withdraws the acknowledgement of an item's current date and returns it as it was. */
    deleteAcknowledgement: ['DELETE', '/v1/expirationitems/{id}/acknowledgement'],
    /** Lists expiration items. */
    list: ['GET', '/v1/expirationitems', 'list'],
    /** Creates an expiration item. */
    create: ['POST', '/v1/expirationitems', 'body'],
    /** Reads an expiration item. */
    get: ['GET', '/v1/expirationitems/{id}'],
    /** Updates an expiration item. Omitted fields are kept, null clears a field, and a list replaces the old one. */
    update: ['PUT', '/v1/expirationitems/{id}', 'body'],
    /** Patches an expiration item. */
    patch: ['PATCH', '/v1/expirationitems/{id}', 'body'],
    /** Deletes an expiration item with its files and returns it as it was. */
    delete: ['DELETE', '/v1/expirationitems/{id}'],
    /** Moves an item's expiration date forward and records the renewal in its history. */
    renew: ['PUT', '/v1/expirationitems/{id}/renew', 'body'],
    /** Renews an expiration item, as PUT does. */
    renewByPost: ['POST', '/v1/expirationitems/{id}/renew', 'body'],
    /** Adds a file to an item, after its other files, and returns the item. */
    attachTo: ['POST', '/v1/expirationitems/{id}/attachment', 'body'],
    /** Replaces the contacts of an item and returns the item. */
    setContacts: ['POST', '/v1/expirationitems/{id}/contacts', 'body'],
    /** Reads the last day to give notice of an item, and how it is computed. */
    noticePeriod: ['GET', '/v1/expirationitems/{id}/notice-period'],
    /** Sets the last day to give notice of an item, or the rule that computes it from the expiration date, in place of an earlier one. */
    setNoticePeriod: ['PUT', '/v1/expirationitems/{id}/notice-period', 'body'],
    /** Removes the notice period of an item and returns it as it was. */
    deleteNoticePeriod: ['DELETE', '/v1/expirationitems/{id}/notice-period'],
    /** Reads when the renewals of an item end. */
    repetition: ['GET', '/v1/expirationitems/{id}/repetition'],
    /** Sets when the renewals of an item end, in place of an earlier end. */
    setRepetition: ['PUT', '/v1/expirationitems/{id}/repetition', 'body'],
    /** Removes the end of the renewals of an item and returns it as it was. */
    deleteRepetition: ['DELETE', '/v1/expirationitems/{id}/repetition'],
    /** Reads what an item is a paper of: vehicles, persons, companies and locations. */
    itemHolders: ['GET', '/v1/expirationitems/{id}/holders'],
    /** Replaces the holders of an item. */
    setHolders: ['PUT', '/v1/expirationitems/{id}/holders', 'body'],
    /** Adds holders to an item, after its other ones. */
    addHolders: ['POST', '/v1/expirationitems/{id}/holders', 'body'],
    /** Removes a holder from an item, and returns the others. */
    removeHolder: ['DELETE', '/v1/expirationitems/{id}/holders/{holderId}'],
    /** Lists the expiration items that are papers of a vehicle. */
    ofVehicle: ['GET', '/v1/expirationitems/vehicle/{id}', 'list'],
    /** Lists the expiration items that are papers of a company. */
    ofCompany: ['GET', '/v1/expirationitems/company/{id}', 'list'],
    /** Lists the expiration items that are papers of a vehicle. */
    heldByVehicle: ['GET', '/v1/expirationitems/holder/vehicle/{id}', 'list'],
    /** Lists the expiration items that are papers of a contact. */
    heldByContact: ['GET', '/v1/expirationitems/holder/contact/{id}', 'list'],
    /** Lists the expiration items that are papers of a company. */
    heldByCompany: ['GET', '/v1/expirationitems/holder/company/{id}', 'list'],
    /** Lists the expiration items that are papers of a location. */
    heldByLocation: ['GET', '/v1/expirationitems/holder/location/{id}', 'list'],
    /** Lists the expiration items that have a contact, either as the main one or as one of several. */
    ofContact: ['GET', '/v1/expirationitems/contact/{id}', 'list'],
    /** Lists the renewals of an item, the newest first. */
    renewals: ['GET', '/v1/expirationitems/{id}/renewals', 'list'],
  },
  attachments: {
    /** Lists the files of expiration items, the oldest first. */
    list: ['GET', '/v1/attachments/expirationitem', 'list'],
    /** Reads a file of an expiration item, by the file's id. */
    get: ['GET', '/v1/attachments/expirationitem/{id}'],
    /** Searches files by name, in pages of 25, the oldest first. */
    search: ['GET', '/v1/attachments/search', 'list'],
  },
  categories: {
    /** Lists document types. */
    list: ['GET', '/v1/categories', 'list'],
    /** Creates a document type. */
    create: ['POST', '/v1/categories', 'body'],
    /** Reads a document type. */
    get: ['GET', '/v1/categories/{id}'],
    /** Updates a document type. Omitted fields are kept, null clears a field, and a list replaces the old one. */
    update: ['PUT', '/v1/categories/{id}', 'body'],
    /** Patches a document type. */
    patch: ['PATCH', '/v1/categories/{id}', 'body'],
    /** Deletes a document type that no item uses and returns it as it was. */
    delete: ['DELETE', '/v1/categories/{id}'],
  },
  companies: {
    /** Lists companies. */
    list: ['GET', '/v1/companies', 'list'],
    /** Creates a company. */
    create: ['POST', '/v1/companies', 'body'],
    /** Reads a company. */
    get: ['GET', '/v1/companies/{id}'],
    /** Replaces a company. Omitted fields return to their defaults. */
    replace: ['PUT', '/v1/companies/{id}', 'body'],
    /** Patches a company. */
    patch: ['PATCH', '/v1/companies/{id}', 'body'],
    /** Deletes a company and returns it as it was. */
    delete: ['DELETE', '/v1/companies/{id}'],
  },
  compliances: {
    /** Lists vehicles, people, companies and locations by their compliance, the worst first. */
    list: ['GET', '/v1/compliance', 'list'],
    /** Says whether a vehicle has what it must have. */
    ofVehicle: ['GET', '/v1/compliance/vehicles/{id}'],
    /** Says whether the vehicle with a natural key has what it must have. */
    ofVehicleByKey: ['GET', '/v1/compliance/vehicles'],
    /** Says whether a contact has what it must have. */
    ofContact: ['GET', '/v1/compliance/contacts/{id}'],
    /** Says whether the contact with a natural key has what it must have. */
    ofContactByKey: ['GET', '/v1/compliance/contacts'],
    /** Says whether a company has what it must have. */
    ofCompany: ['GET', '/v1/compliance/companies/{id}'],
    /** Says whether the company with a natural key has what it must have. */
    ofCompanyByKey: ['GET', '/v1/compliance/companies'],
    /** Says whether a location has what it must have. */
    ofLocation: ['GET', '/v1/compliance/locations/{id}'],
    /** Says whether the location with a natural key has what it must have. */
    ofLocationByKey: ['GET', '/v1/compliance/locations'],
  },
  contactTypes: {
    /** Lists contact types. */
    list: ['GET', '/v1/contacttypes', 'list'],
    /** Creates a contact type. */
    create: ['POST', '/v1/contacttypes', 'body'],
    /** Reads a contact type. */
    get: ['GET', '/v1/contacttypes/{id}'],
    /** Updates a contact type. Omitted fields are kept, and null clears a field. */
    update: ['PUT', '/v1/contacttypes/{id}', 'body'],
    /** Patches a contact type. */
    patch: ['PATCH', '/v1/contacttypes/{id}', 'body'],
    /** Deletes a contact type and returns it as it was. Its contacts remain, without a type. */
    delete: ['DELETE', '/v1/contacttypes/{id}'],
  },
  contacts: {
    /** Lists contacts. */
    list: ['GET', '/v1/contacts', 'list'],
    /** Creates a contact. */
    create: ['POST', '/v1/contacts', 'body'],
    /** Reads a contact. */
    get: ['GET', '/v1/contacts/{id}'],
    /** Replaces a contact. Omitted fields return to their defaults. */
    replace: ['PUT', '/v1/contacts/{id}', 'body'],
    /** Patches a contact. */
    patch: ['PATCH', '/v1/contacts/{id}', 'body'],
    /** Deletes a contact and returns it as it was. Items keep their other contacts. */
    delete: ['DELETE', '/v1/contacts/{id}'],
  },
  deliveries: {
    /** Lists deliveries, the last queued first. */
    list: ['GET', '/v1/deliveries', 'list'],
    /** Reads a delivery. */
    get: ['GET', '/v1/deliveries/{id}'],
    /** Retries a failed delivery for up to one day from now. */
    retry: ['POST', '/v1/deliveries/{id}/retry'],
  },
  documentRequests: {
    /** Lists requests for documents, the last first. */
    list: ['GET', '/v1/documentrequests', 'list'],
    /** Asks somebody for a document, by a link in a mail. */
    create: ['POST', '/v1/documentrequests', 'body'],
    /** Reads a document request. */
    get: ['GET', '/v1/documentrequests/{id}'],
    /** Accepts what was received: renews the item, or creates one with the files. */
    accept: ['POST', '/v1/documentrequests/{id}/accept', 'body'],
    /** Sends an answer back with a reason, and asks again by a mail. */
    decline: ['POST', '/v1/documentrequests/{id}/decline', 'body'],
    /** Sends the mail of a request again, with a new link. */
    resend: ['POST', '/v1/documentrequests/{id}/resend'],
    /** Ends a request. */
    cancel: ['POST', '/v1/documentrequests/{id}/cancel'],
    /** Asks for many documents: each of them, or what records lack. */
    createMany: ['POST', '/v1/documentrequests/bulk', 'body'],
    /** Counts requests for documents by their states. */
    counts: ['GET', '/v1/documentrequests/counts'],
  },
  eventLogs: {
    /** Reads an event. */
    get: ['GET', '/v1/eventlogs/{id}'],
    /** Lists events. */
    list: ['GET', '/v1/eventlogs', 'list'],
  },
  exemptions: {
    /** Lists exemptions from requirements, the last first. */
    list: ['GET', '/v1/exemptions', 'list'],
    /** Exempts a record from a requirement. */
    create: ['POST', '/v1/exemptions', 'body'],
    /** Reads an exemption. */
    get: ['GET', '/v1/exemptions/{id}'],
    /** Ends an exemption. It no longer holds from today in its workspace. */
    end: ['POST', '/v1/exemptions/{id}/end'],
  },
  locations: {
    /** Lists locations. */
    list: ['GET', '/v1/locations', 'list'],
    /** Creates a location. */
    create: ['POST', '/v1/locations', 'body'],
    /** Reads a location. */
    get: ['GET', '/v1/locations/{id}'],
    /** Updates a location. Omitted fields are kept, null clears a field, and a list replaces the old one. */
    update: ['PUT', '/v1/locations/{id}', 'body'],
    /** Patches a location. */
    patch: ['PATCH', '/v1/locations/{id}', 'body'],
    /** Deletes a location and returns it as it was. Locations inside it remain, without a parent. */
    delete: ['DELETE', '/v1/locations/{id}'],
  },
  notes: {
    /** Lists notes, the last changed first. */
    list: ['GET', '/v1/notes', 'list'],
    /** Creates a note. */
    create: ['POST', '/v1/notes', 'body'],
    /** Reads a note. */
    get: ['GET', '/v1/notes/{id}'],
    /** Updates a note. Omitted fields are kept, null clears a field, and a list replaces the old one. */
    update: ['PUT', '/v1/notes/{id}', 'body'],
    /** Patches a note. */
    patch: ['PATCH', '/v1/notes/{id}', 'body'],
    /** Deletes a note and returns it as it was. */
    delete: ['DELETE', '/v1/notes/{id}'],
  },
  reminderPolicies: {
    /** Lists reminder policies with their steps. */
    list: ['GET', '/v1/reminderpolicies', 'list'],
    /** Creates a reminder policy. */
    create: ['POST', '/v1/reminderpolicies', 'body'],
    /** Reads a reminder policy with its steps. */
    get: ['GET', '/v1/reminderpolicies/{id}'],
    /** Updates a reminder policy. Omitted fields are kept, null clears a field, and steps replace the old ones. */
    update: ['PUT', '/v1/reminderpolicies/{id}', 'body'],
    /** Patches a reminder policy. */
    patch: ['PATCH', '/v1/reminderpolicies/{id}', 'body'],
    /** Deletes a reminder policy that nothing uses and returns it as it was. */
    delete: ['DELETE', '/v1/reminderpolicies/{id}'],
  },
  requirements: {
    /** Lists requirements. */
    list: ['GET', '/v1/requirements', 'list'],
    /** Creates a requirement. */
    create: ['POST', '/v1/requirements', 'body'],
    /** Reads a requirement. */
    get: ['GET', '/v1/requirements/{id}'],
    /** Updates a requirement. Omitted fields are kept, and null clears a field. */
    update: ['PUT', '/v1/requirements/{id}', 'body'],
    /** Patches a requirement. */
    patch: ['PATCH', '/v1/requirements/{id}', 'body'],
    /** Deletes a requirement and returns it as it was. */
    delete: ['DELETE', '/v1/requirements/{id}'],
  },
  tags: {
    /** Lists tags. */
    list: ['GET', '/v1/tags', 'list'],
    /** Creates a tag. */
    create: ['POST', '/v1/tags', 'body'],
    /** Reads a tag. */
    get: ['GET', '/v1/tags/{id}'],
    /** Updates a tag. Omitted fields are kept, and null clears a field. */
    update: ['PUT', '/v1/tags/{id}', 'body'],
    /** Patches a tag. */
    patch: ['PATCH', '/v1/tags/{id}', 'body'],
    /** Deletes a tag and returns it as it was. Its items remain, without the tag. */
    delete: ['DELETE', '/v1/tags/{id}'],
  },
  teams: {
    /** Lists workspaces, sorted by name. */
    list: ['GET', '/v1/teams', 'list'],
    /** Creates a workspace. Requires the role admin. */
    create: ['POST', '/v1/teams', 'body'],
    /** Reads a workspace. */
    get: ['GET', '/v1/teams/{id}'],
    /** Updates a workspace. Omitted fields are kept, and null clears a field. */
    update: ['PUT', '/v1/teams/{id}', 'body'],
    /** Patches a workspace. */
    patch: ['PATCH', '/v1/teams/{id}', 'body'],
    /** Deletes an empty workspace and returns it as it was. Requires the role admin. */
    delete: ['DELETE', '/v1/teams/{id}'],
  },
  bulkscan: {
    /** Receives an upload notification. */
    receiveUpload: ['POST', '/v1/bulkscan/receive', 'body'],
  },
  uploadNotifications: {
    /** Lists uploads, the last received first. */
    list: ['GET', '/v1/uploads', 'list'],
    /** Stores a file and files it under an item. */
    add: ['POST', '/v1/uploads', 'body'],
    /** Reads an upload. */
    get: ['GET', '/v1/uploads/{id}'],
    /** Retries an upload that could not be filed, from the beginning. */
    retry: ['POST', '/v1/uploads/{id}/retry'],
    /** Settles an upload with a person's decision. It files the upload, or corrects the item if it is already filed. */
    confirm: ['POST', '/v1/uploads/{id}/confirm', 'body'],
  },
  users: {
    /** Reads a user of the organization. */
    get: ['GET', '/v1/users/{id}'],
  },
  vehicles: {
    /** Lists vehicles. */
    list: ['GET', '/v1/vehicles', 'list'],
    /** Creates a vehicle. */
    create: ['POST', '/v1/vehicles', 'body'],
    /** Reads a vehicle. */
    get: ['GET', '/v1/vehicles/{id}'],
    /** Replaces a vehicle. Omitted fields return to their defaults. */
    replace: ['PUT', '/v1/vehicles/{id}', 'body'],
    /** Patches a vehicle. */
    patch: ['PATCH', '/v1/vehicles/{id}', 'body'],
    /** Deletes a vehicle and returns it as it was. */
    delete: ['DELETE', '/v1/vehicles/{id}'],
  },
  digests: {
    /** Reads how somebody gets reminders. */
    get: ['GET', '/v1/digests/{id}'],
    /** Sets how somebody gets reminders: a mail for each item, or one mail a day or a week. */
    set: ['PUT', '/v1/digests/{id}', 'body'],
    /** Removes a setting, so that the default applies. */
    delete: ['DELETE', '/v1/digests/{id}'],
  },
  listTeamExports: {
    /** Lists the caller's exports of workspaces. */
    list: ['GET', '/v1/exports'],
    /** Exports a workspace as a ZIP file. */
    create: ['POST', '/v1/exports'],
    /** Reads an export of a workspace. */
    get: ['GET', '/v1/exports/{id}'],
    /** Deletes an export of a workspace. */
    delete: ['DELETE', '/v1/exports/{id}'],
  },
} as const;

export interface paths {
    "/v1/expirationitems/{id}/acknowledgement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads the acknowledgement of an item's current date. */
        get: operations["acknowledgement"];
        put?: never;
        /** Acknowledges an item's current date and replaces an earlier acknowledgement. This stops repeated and escalated reminders. */
        post: operations["setAcknowledgement"];
        /** Withdraws the acknowledgement of an item's current date and returns it as it was. */
        delete: operations["deleteAcknowledgement"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/attachments/expirationitem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the files of expiration items, the oldest first. */
        get: operations["attachments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/attachments/expirationitem/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a file of an expiration item, by the file's id. */
        get: operations["attachment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/attachments/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Searches files by name, in pages of 25, the oldest first. */
        get: operations["searchAttachments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists document types. */
        get: operations["categories"];
        put?: never;
        /** Creates a document type. */
        post: operations["createCategory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/categories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a document type. */
        get: operations["category"];
        /** Updates a document type. Omitted fields are kept, null clears a field, and a list replaces the old one. */
        put: operations["updateCategory"];
        post?: never;
        /** Deletes a document type that no item uses and returns it as it was. */
        delete: operations["deleteCategory"];
        options?: never;
        head?: never;
        /** Patches a document type. */
        patch: operations["patchCategory"];
        trace?: never;
    };
    "/v1/companies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists companies. */
        get: operations["companies"];
        put?: never;
        /** Creates a company. */
        post: operations["createCompany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/companies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a company. */
        get: operations["company"];
        /** Replaces a company. Omitted fields return to their defaults. */
        put: operations["replaceCompany"];
        post?: never;
        /** Deletes a company and returns it as it was. */
        delete: operations["deleteCompany"];
        options?: never;
        head?: never;
        /** Patches a company. */
        patch: operations["patchCompany"];
        trace?: never;
    };
    "/v1/compliance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists vehicles, people, companies and locations by their compliance, the worst first. */
        get: operations["compliances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacttypes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists contact types. */
        get: operations["contactTypes"];
        put?: never;
        /** Creates a contact type. */
        post: operations["createContactType"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacttypes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a contact type. */
        get: operations["contactType"];
        /** Updates a contact type. Omitted fields are kept, and null clears a field. */
        put: operations["updateContactType"];
        post?: never;
        /** Deletes a contact type and returns it as it was. Its contacts remain, without a type. */
        delete: operations["deleteContactType"];
        options?: never;
        head?: never;
        /** Patches a contact type. */
        patch: operations["patchContactType"];
        trace?: never;
    };
    "/v1/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists contacts. */
        get: operations["contacts"];
        put?: never;
        /** Creates a contact. */
        post: operations["createContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a contact. */
        get: operations["contact"];
        /** Replaces a contact. Omitted fields return to their defaults. */
        put: operations["replaceContact"];
        post?: never;
        /** Deletes a contact and returns it as it was. Items keep their other contacts. */
        delete: operations["deleteContact"];
        options?: never;
        head?: never;
        /** Patches a contact. */
        patch: operations["patchContact"];
        trace?: never;
    };
    "/v1/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists deliveries, the last queued first. */
        get: operations["deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a delivery. */
        get: operations["delivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deliveries/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Retries a failed delivery for up to one day from now. */
        post: operations["retryDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/documentrequests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists requests for documents, the last first. */
        get: operations["documentRequests"];
        put?: never;
        /** Asks somebody for a document, by a link in a mail. */
        post: operations["createDocumentRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/documentrequests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a document request. */
        get: operations["documentRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/documentrequests/{id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accepts what was received: renews the item, or creates one with the files. */
        post: operations["acceptDocumentRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/documentrequests/{id}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends an answer back with a reason, and asks again by a mail. */
        post: operations["declineDocumentRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/documentrequests/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends the mail of a request again, with a new link. */
        post: operations["resendDocumentRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/documentrequests/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends a request. */
        post: operations["cancelDocumentRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/eventlogs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads an event. */
        get: operations["eventLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/eventlogs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists events. */
        get: operations["eventLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exemptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists exemptions from requirements, the last first. */
        get: operations["exemptions"];
        put?: never;
        /** Exempts a record from a requirement. */
        post: operations["createExemption"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exemptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads an exemption. */
        get: operations["exemption"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exemptions/{id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends an exemption. It no longer holds from today in its workspace. */
        post: operations["endExemption"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/expirationitems": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists expiration items. */
        get: operations["expirationItems"];
        put?: never;
        /** Creates an expiration item. */
        post: operations["createExpirationItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/expirationitems/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads an expiration item. */
        get: operations["expirationItem"];
        /** Updates an expiration item. Omitted fields are kept, null clears a field, and a list replaces the old one. */
        put: operations["updateExpirationItem"];
        post?: never;
        /** Deletes an expiration item with its files and returns it as it was. */
        delete: operations["deleteExpirationItem"];
        options?: never;
        head?: never;
        /** Patches an expiration item. */
        patch: operations["patchExpirationItem"];
        trace?: never;
    };
    "/v1/expirationitems/{id}/renew": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Moves an item's expiration date forward and records the renewal in its history. */
        put: operations["renewExpirationItem"];
        /** Renews an expiration item, as PUT does. */
        post: operations["renewExpirationItemByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/expirationitems/{id}/attachment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Adds a file to an item, after its other files, and returns the item. */
        post: operations["attachToExpirationItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/expirationitems/{id}/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replaces the contacts of an item and returns the item. */
        post: operations["setExpirationItemContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/expirationitems/{id}/notice-period": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads the last day to give notice of an item, and how it is computed. */
        get: operations["noticePeriod"];
        /** Sets the last day to give notice of an item, or the rule that computes it from the expiration date, in place of an earlier one. */
        put: operations["setNoticePeriod"];
        post?: never;
        /** Removes the notice period of an item and returns it as it was. */
        delete: operations["deleteNoticePeriod"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/expirationitems/{id}/repetition": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads when the renewals of an item end. */
        get: operations["repetition"];
        /** Sets when the renewals of an item end, in place of an earlier end. */
        put: operations["setRepetition"];
        post?: never;
        /** Removes the end of the renewals of an item and returns it as it was. */
        delete: operations["deleteRepetition"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/expirationitems/{id}/holders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads what an item is a paper of: vehicles, persons, companies and locations. */
        get: operations["itemHolders"];
        /** Replaces the holders of an item. */
        put: operations["setHolders"];
        /** Adds holders to an item, after its other ones. */
        post: operations["addHolders"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/expirationitems/{id}/holders/{holderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Removes a holder from an item, and returns the others. */
        delete: operations["removeHolder"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/expirationitems/vehicle/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the expiration items that are papers of a vehicle. */
        get: operations["expirationItemsOfVehicle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/expirationitems/company/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the expiration items that are papers of a company. */
        get: operations["expirationItemsOfCompany"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/expirationitems/holder/vehicle/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the expiration items that are papers of a vehicle. */
        get: operations["expirationItemsHeldByVehicle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/expirationitems/holder/contact/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the expiration items that are papers of a contact. */
        get: operations["expirationItemsHeldByContact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/expirationitems/holder/company/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the expiration items that are papers of a company. */
        get: operations["expirationItemsHeldByCompany"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/expirationitems/holder/location/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the expiration items that are papers of a location. */
        get: operations["expirationItemsHeldByLocation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/expirationitems/contact/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the expiration items that have a contact, either as the main one or as one of several. */
        get: operations["expirationItemsOfContact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/locations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists locations. */
        get: operations["locations"];
        put?: never;
        /** Creates a location. */
        post: operations["createLocation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/locations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a location. */
        get: operations["location"];
        /** Updates a location. Omitted fields are kept, null clears a field, and a list replaces the old one. */
        put: operations["updateLocation"];
        post?: never;
        /** Deletes a location and returns it as it was. Locations inside it remain, without a parent. */
        delete: operations["deleteLocation"];
        options?: never;
        head?: never;
        /** Patches a location. */
        patch: operations["patchLocation"];
        trace?: never;
    };
    "/v1/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists notes, the last changed first. */
        get: operations["notes"];
        put?: never;
        /** Creates a note. */
        post: operations["createNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a note. */
        get: operations["note"];
        /** Updates a note. Omitted fields are kept, null clears a field, and a list replaces the old one. */
        put: operations["updateNote"];
        post?: never;
        /** Deletes a note and returns it as it was. */
        delete: operations["deleteNote"];
        options?: never;
        head?: never;
        /** Patches a note. */
        patch: operations["patchNote"];
        trace?: never;
    };
    "/v1/reminderpolicies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists reminder policies with their steps. */
        get: operations["reminderPolicies"];
        put?: never;
        /** Creates a reminder policy. */
        post: operations["createReminderPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reminderpolicies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a reminder policy with its steps. */
        get: operations["reminderPolicy"];
        /** Updates a reminder policy. Omitted fields are kept, null clears a field, and steps replace the old ones. */
        put: operations["updateReminderPolicy"];
        post?: never;
        /** Deletes a reminder policy that nothing uses and returns it as it was. */
        delete: operations["deleteReminderPolicy"];
        options?: never;
        head?: never;
        /** Patches a reminder policy. */
        patch: operations["patchReminderPolicy"];
        trace?: never;
    };
    "/v1/expirationitems/{id}/renewals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the renewals of an item, the newest first. */
        get: operations["renewals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/requirements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists requirements. */
        get: operations["requirements"];
        put?: never;
        /** Creates a requirement. */
        post: operations["createRequirement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/requirements/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a requirement. */
        get: operations["requirement"];
        /** Updates a requirement. Omitted fields are kept, and null clears a field. */
        put: operations["updateRequirement"];
        post?: never;
        /** Deletes a requirement and returns it as it was. */
        delete: operations["deleteRequirement"];
        options?: never;
        head?: never;
        /** Patches a requirement. */
        patch: operations["patchRequirement"];
        trace?: never;
    };
    "/v1/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists tags. */
        get: operations["tags"];
        put?: never;
        /** Creates a tag. */
        post: operations["createTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tags/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a tag. */
        get: operations["tag"];
        /** Updates a tag. Omitted fields are kept, and null clears a field. */
        put: operations["updateTag"];
        post?: never;
        /** Deletes a tag and returns it as it was. Its items remain, without the tag. */
        delete: operations["deleteTag"];
        options?: never;
        head?: never;
        /** Patches a tag. */
        patch: operations["patchTag"];
        trace?: never;
    };
    "/v1/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists workspaces, sorted by name. */
        get: operations["teams"];
        put?: never;
        /** Creates a workspace. Requires the role admin. */
        post: operations["createTeam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/teams/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a workspace. */
        get: operations["team"];
        /** Updates a workspace. Omitted fields are kept, and null clears a field. */
        put: operations["updateTeam"];
        post?: never;
        /** Deletes an empty workspace and returns it as it was. Requires the role admin. */
        delete: operations["deleteTeam"];
        options?: never;
        head?: never;
        /** Patches a workspace. */
        patch: operations["patchTeam"];
        trace?: never;
    };
    "/v1/bulkscan/receive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Receives an upload notification. */
        post: operations["receiveUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists uploads, the last received first. */
        get: operations["uploadNotifications"];
        put?: never;
        /** Stores a file and files it under an item. */
        post: operations["addUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/uploads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads an upload. */
        get: operations["uploadNotification"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/uploads/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Retries an upload that could not be filed, from the beginning. */
        post: operations["retryUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/uploads/{id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Settles an upload with a person's decision. It files the upload, or corrects the item if it is already filed. */
        post: operations["confirmUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a user of the organization. */
        get: operations["user"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vehicles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists vehicles. */
        get: operations["vehicles"];
        put?: never;
        /** Creates a vehicle. */
        post: operations["createVehicle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vehicles/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a vehicle. */
        get: operations["vehicle"];
        /** Replaces a vehicle. Omitted fields return to their defaults. */
        put: operations["replaceVehicle"];
        post?: never;
        /** Deletes a vehicle and returns it as it was. */
        delete: operations["deleteVehicle"];
        options?: never;
        head?: never;
        /** Patches a vehicle. */
        patch: operations["patchVehicle"];
        trace?: never;
    };
    "/v1/documentrequests/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Asks for many documents: each of them, or what records lack. */
        post: operations["createManyDocumentRequests"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/documentrequests/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counts requests for documents by their states. */
        get: operations["documentRequestCounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/digests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads how somebody gets reminders. */
        get: operations["digestSetting"];
        /** Sets how somebody gets reminders: a mail for each item, or one mail a day or a week. */
        put: operations["setDigestSetting"];
        post?: never;
        /** Removes a setting, so that the default applies. */
        delete: operations["deleteDigestSetting"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the caller's exports of workspaces. */
        get: operations["listTeamExports"];
        put?: never;
        /** Exports a workspace as a ZIP file. */
        post: operations["createTeamExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads an export of a workspace. */
        get: operations["teamExport"];
        put?: never;
        post?: never;
        /** Deletes an export of a workspace. */
        delete: operations["deleteTeamExport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/compliance/vehicles/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says whether a vehicle has what it must have. */
        get: operations["complianceOfVehicle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/compliance/vehicles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says whether the vehicle with a natural key has what it must have. */
        get: operations["complianceOfVehicleByKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/compliance/contacts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says whether a contact has what it must have. */
        get: operations["complianceOfContact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/compliance/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says whether the contact with a natural key has what it must have. */
        get: operations["complianceOfContactByKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/compliance/companies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says whether a company has what it must have. */
        get: operations["complianceOfCompany"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/compliance/companies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says whether the company with a natural key has what it must have. */
        get: operations["complianceOfCompanyByKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/compliance/locations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says whether a location has what it must have. */
        get: operations["complianceOfLocation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/compliance/locations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says whether the location with a natural key has what it must have. */
        get: operations["complianceOfLocationByKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A decision to accept what was received. */
        AcceptDocumentRequestInput: {
            /**
             * @description The day on which the document expires. It is needed to renew an item, and must be later than its date.
             * @example 2027-02-28
             */
            expiration_date?: string | null;
            /** @description The new item's name. Default: document type and record. */
            name?: string | null;
        };
        /** @description An acknowledgement of an item's current date. */
        AcknowledgementInput: {
            /** @description Which date of the item is acknowledged. Default: the expiration date. */
            about?: ("expiration" | "notice") | null;
            /** @description A note to leave with the acknowledgement. */
            note?: string | null;
            /** @description True if all reminders for the date stop. */
            silence?: boolean | null;
            /**
             * @description The day reminders resume. It must be after today in the item's workspace.
             * @example 2027-02-28
             */
            snooze_until?: string | null;
        };
        /** @description Records that somebody has taken note of an item's date. It stops repeated and escalated reminders. */
        AcknowledgementModel: {
            /**
             * Format: uuid
             * @description The item whose date was acknowledged.
             */
            expiration_item_id: string;
            /**
             * @description Which date of the item was acknowledged.
             * @enum {string}
             */
            about: "expiration" | "notice";
            /**
             * Format: date
             * @description The date that was acknowledged.
             */
            expiration_date: string;
            /** @description The note left with the acknowledgement. */
            note: string | null;
            /** @description True if all reminders for the date stop, not only repeated and escalated ones. */
            silence: boolean;
            /**
             * Format: date
             * @description The day the acknowledgement ends and reminders resume.
             */
            snooze_until: string | null;
            /** @description The user who acknowledged it. */
            user: components["schemas"]["UserModel"] | null;
            /**
             * Format: date-time
             * @description When it was acknowledged.
             */
            created: string;
        };
        /** @description A file of at most 16 MiB, given as one of `content`, `file` and `resumableUploadId`, and where it belongs. What is omitted follows from the file name and the document. */
        AddUploadInput: {
            /** @description The name of the item's document type. If none has this name, one is created. */
            category?: string | null;
            /**
             * Format: uuid
             * @description The id of the company that the new item is a paper of.
             */
            company_id?: string | null;
            /** @description The tax number of the company that the new item is a paper of. */
            company_tax_id?: string | null;
            /** @description The e-mail address of the item's contact. If none has this address, one is created. */
            contact_email?: string | null;
            /** @description The file's bytes, in base64. */
            content?: string | null;
            /** @description The file's media type. Default: the one that was sent with it. */
            content_type?: string | null;
            /**
             * @description The day the item expires.
             * @example 2027-02-28
             */
            expiration_date?: string | null;
            /**
             * Format: uuid
             * @description The item that the file belongs to. If omitted, a new item is created.
             */
            expiration_item_id?: string | null;
            /** @description The file's name. Default: the one that was sent with it. */
            file_name?: string | null;
            /** @description The e-mail address of the person that the new item is a paper of. */
            holder_email?: string | null;
            /**
             * Format: uuid
             * @description The id of the vehicle, person, company or location that the new item is a paper of. This and the following ones may be combined. Nothing is created.
             */
            holder_id?: string | null;
            /** @description The licence plate of the vehicle that the new item is a paper of. It must name exactly one. */
            license_plate?: string | null;
            /** @description The new item's name. Default: that of the file. */
            name?: string | null;
            /**
             * Format: uuid
             * @description The id of a complete upload at `/v1/resumable-uploads`. It can be used once: repeats return the same notification.
             */
            resumable_upload_id?: string | null;
            /**
             * Format: uuid
             * @description The workspace of the upload and of a new item. Default: that of the resumable upload, else the caller's own.
             */
            team_id?: string | null;
            /** @description True to use the date that is read from the document, if it is certain. Default: false. */
            trust_scan?: boolean | null;
            /** @description The vehicle identification number of the vehicle that the new item is a paper of. It must name exactly one. */
            vehicle_vin?: string | null;
        };
        /** @description A file for an item, at most 16 MiB. */
        AttachToExpirationItemInput: {
            /** @description The file's bytes, in base64. */
            content: string;
            /** @description The file's media type. */
            content_type?: string | null;
            /** @description The file's name. */
            name?: string | null;
        };
        /** @description Either an existing attachment, given by its id, or a new one, given by its content. Other content replaces the file of an existing one; its former bytes go to the bin. */
        AttachmentInput: {
            /** @description The bytes in base64. If omitted or null, an existing attachment keeps its file. */
            content?: string | null;
            /** @description The media type of a new file, or of one that replaces another. */
            content_type?: string | null;
            /**
             * Format: uuid
             * @description The id of an attachment of this item, which is kept.
             */
            id?: string | null;
            /** @description The name of a new file, or of one that replaces another. */
            name?: string | null;
        };
        /** @description A file attached to an item. */
        AttachmentModel: {
            /**
             * Format: uuid
             * @description The attachment's id.
             */
            id: string;
            /** @description The file's bytes, in base64. Null if they are not stored here. If they are missing, damaged or cannot be read now, it is null, and an error says why. */
            content: string | null;
            /** @description File name. */
            name: string | null;
            /** @description Media type. */
            content_type: string | null;
            /**
             * Format: date-time
             * @description When the attachment was created.
             */
            created: string;
            /**
             * Format: int64
             * @description Size in bytes.
             */
            content_legth: number;
            /** @description The type of the record that the file is attached to: always `expirationitem`. */
            entity_type: string;
            /**
             * Format: uuid
             * @description The id of the record that the file is attached to.
             */
            entity_id: string;
        };
        /** @description A page of a list. */
        AttachmentsPage: {
            /** @description The rows of the page. */
            attachments: components["schemas"]["AttachmentModel"][];
            /**
             * Format: int32
             * @description The number of pages.
             */
            pages: number;
            /**
             * Format: int32
             * @description The page served, from 1.
             */
            page: number;
            /**
             * Format: int32
             * @description The number of rows on all pages.
             */
            total: number;
        };
        /** @description A rectangle on a page, in parts of the page's width and height from 0 to 1. Pictures are upright, as browsers show them. */
        BoxModel: {
            /**
             * Format: double
             * @description Distance from the left.
             */
            x: number;
            /**
             * Format: double
             * @description Distance from the top.
             */
            y: number;
            /**
             * Format: double
             * @description Width.
             */
            width: number;
            /**
             * Format: double
             * @description Height.
             */
            height: number;
        };
        /** @description A page of a list. */
        CategoriesPage: {
            /** @description The rows of the page. */
            categories: components["schemas"]["CategoryModel"][];
            /**
             * Format: int32
             * @description The number of pages.
             */
            pages: number;
            /**
             * Format: int32
             * @description The page served, from 1.
             */
            page: number;
            /**
             * Format: int32
             * @description The number of rows on all pages.
             */
            total: number;
        };
        /** @description A custom field that items of a document type have. */
        CategoryCustomFieldInput: {
            /**
             * Format: uuid
             * @description The custom field's id. If omitted, the server generates one.
             */
            id?: string | null;
            /** @description Its name in another system, at most 255 characters. */
            internal_name?: string | null;
            /** @description The custom field's name, at most 255 characters. */
            name?: string | null;
        };
        /** @description A custom field that items of a document type have. */
        CategoryCustomFieldModel: {
            /**
             * Format: uuid
             * @description The custom field's id, the same in every item.
             */
            id: string;
            /** @description The custom field's name. */
            name: string | null;
            /** @description The custom field's name in another system. Stored as sent. */
            internal_name: string | null;
        };
        /** @description Changes to a document type. Omitted fields keep their values, and null clears a field. */
        CategoryMergePatch: {
            /** @description The custom fields that its items have, in the order sent. */
            custom_fields?: components["schemas"]["CategoryCustomFieldInput"][] | null;
            /** @description True if the document type is in use. */
            is_active?: boolean | null;
            /** @description The document type's name, unique in its workspace. */
            name?: string | null;
            /**
             * Format: uuid
             * @description The workspace the document type belongs to.
             */
            team_id?: string | null;
        };
        /** @description A document type. It says what kind of thing expires and which custom fields its items have. */
        CategoryModel: {
            /** @description The document type's name, unique in its workspace. */
            name: string;
            /**
             * Format: uuid
             * @description The document type's id.
             */
            id: string;
            /**
             * Format: date-time
             * @description When the document type was last changed.
             */
            modified: string;
            /** @description True if the document type is in use. */
            is_active: boolean;
            /**
             * Format: uuid
             * @description The workspace the document type belongs to.
             */
            team_id: string;
            /** @description The custom fields that its items have, in the order sent. */
            custom_fields: components["schemas"]["CategoryCustomFieldModel"][];
        };
        /** @description Refers to a document type by its id, or else by its name. If no document type has that name, one is created. */
        CategoryReference: {
            /**
             * Format: uuid
             * @description The document type's id.
             */
            id?: string | null;
            /** @description The document type's name. */
            name?: string | null;
        };
        /** @description A page of a list. */
        CompaniesPage: {
            /** @description The rows of the page. */
            companies: components["schemas"]["CompanyModel"][];
            /**
             * Format: int32
             * @description The number of pages.
             */
            pages: number;
            /**
             * Format: int32
             * @description The page served, from 1.
             */
            page: number;
            /**
             * Format: int32
             * @description The number of rows on all pages.
             */
            total: number;
        };
        /** @description Changes to a company. Omitted fields keep their values, and null clears a field. */
        CompanyMergePatch: {
            /** @description First line of the address. */
            address_line_1?: string | null;
            /** @description Second line of the address. */
            address_line_2?: string | null;
            /** @description The user the company is assigned to. */
            assigned_to?: components["schemas"]["UserReference"] | null;
            /** @description City. */
            city?: string | null;
            /**
             * Format: uuid
             * @description Country, as an id from the caller's own list. Stored as sent.
             */
            country_id?: string | null;
            /** @description Custom fields, in the order sent. */
            custom_fields?: components["schemas"]["CustomFieldInput"][] | null;
            /** @description The name that the company trades under. */
            doing_business_as?: string | null;
            /** @description True if the company is archived. */
            is_archived?: boolean | null;
            /** @description The company's name. */
            name?: string | null;
            /** @description Telephone number. */
            phone?: string | null;
            /** @description Postal code. */
            postal_code?: string | null;
            /**
             * Format: uuid
             * @description The company's main contact.
             */
            primary_contact_id?: string | null;
            /** @description Province or state. */
            province?: string | null;
            /** @description Tax number, unique in the organization. */
            tax_id?: string | null;
            /**
             * Format: int32
             * @description Kind of tax number. Stored as sent.
             */
            tax_type_id?: number | null;
            /**
             * Format: uuid
             * @description The workspace the company belongs to.
             */
            team_id?: string | null;
            /**
             * Format: uuid
             * @description Type, as an id from the caller's own list. Stored as sent.
             */
            type_id?: string | null;
            /** @description Website. */
            website?: string | null;
        };
        /** @description A company. */
        CompanyModel: {
            /**
             * Format: uuid
             * @description The company's id.
             */
            id: string;
            /** @description The company's name. */
            name: string | null;
            /** @description The name that the company trades under. */
            doing_business_as: string | null;
            /** @description Telephone number. */
            phone: string | null;
            /** @description Website. */
            website: string | null;
            /** @description First line of the address. */
            address_line_1: string | null;
            /** @description Second line of the address. */
            address_line_2: string | null;
            /** @description City. */
            city: string | null;
            /** @description Province or state. */
            province: string | null;
            /** @description Postal code. */
            postal_code: string | null;
            /**
             * Format: uuid
             * @description Country, as an id from the caller's own list. Stored as sent.
             */
            country_id: string | null;
            /** @description Tax number, unique in the organization. */
            tax_id: string | null;
            /**
             * Format: int32
             * @description Kind of tax number. Stored as sent.
             */
            tax_type_id: number | null;
            /**
             * Format: uuid
             * @description Type, as an id from the caller's own list. Stored as sent.
             */
            type_id: string | null;
            /**
             * Format: uuid
             * @description The company's main contact.
             */
            primary_contact_id: string | null;
            /** @description The user the company is assigned to. */
            assigned_to: components["schemas"]["UserModel"] | null;
            /**
             * Format: uuid
             * @description The workspace the company belongs to.
             */
            team_id: string;
            /** @description True if the company is archived. */
            is_archived: boolean;
            /**
             * Format: date-time
             * @description When the company was last changed.
             */
            modified: string;
            /** @description Custom fields, in the order sent. */
            custom_fields: components["schemas"]["CustomFieldModel"][];
        };
        /** @description Whether a record has what it must have on a day. */
        ComplianceModel: {
            /** @description False if the state is `non_compliant`. */
            compliant: boolean;
            /**
             * @description The state.
             * @enum {string}
             */
            state: "non_compliant" | "due" | "compliant" | "not_required";
            /**
             * Format: date
             * @description The day.
             */
            on: string;
            /** @description True if the day is past. The answer is about what is held now. */
            is_past: boolean;
            /**
             * Format: date
             * @description The last day on which it is not yet non-compliant. Null if it is already, or never will be.
             */
            until: string | null;
            /** @description The record that is asked about. */
            holder: {
                /**
                 * @description Its kind.
                 * @enum {string}
                 */
                kind: "vehicle" | "contact" | "company" | "location";
                /**
                 * Format: uuid
                 * @description Its id.
                 */
                id: string;
                /** @description What it is called. */
                name: string | null;
            };
            /** @description The requirements that are pending, expired or missing. */
            gaps: {
                /** @description A requirement. */
                requirement: {
                    /**
                     * Format: uuid
                     * @description Its id.
                     */
                    id: string;
                    /** @description Its name. */
                    name: string;
                };
                /**
                 * @description The state.
                 * @enum {string}
                 */
                state: "exempt" | "due" | "met" | "pending" | "expired" | "missing";
                /**
                 * Format: date
                 * @description The first day of the state, as far as it follows from what is held now.
                 */
                since: string | null;
                /**
                 * Format: date
                 * @description The last day of the state, if nothing changes.
                 */
                until: string | null;
                /**
                 * Format: uuid
                 * @description The item that decides, the one that lasts longest. Null if there is none, or the caller may not see it.
                 */
                item_id: string | null;
                /** @description True if the item is valid on the day, but not for as many days more as it must be. */
                is_too_short: boolean;
            }[];
            /** @description All requirements that apply, by name. */
            requirements: {
                /** @description A requirement. */
                requirement: {
                    /**
                     * Format: uuid
                     * @description Its id.
                     */
                    id: string;
                    /** @description Its name. */
                    name: string;
                };
                /**
                 * @description The state.
                 * @enum {string}
                 */
                state: "exempt" | "due" | "met" | "pending" | "expired" | "missing";
                /**
                 * Format: date
                 * @description The first day of the state, as far as it follows from what is held now.
                 */
                since: string | null;
                /**
                 * Format: date
                 * @description The last day of the state, if nothing changes.
                 */
                until: string | null;
                /**
                 * Format: uuid
                 * @description The item that decides, the one that lasts longest. Null if there is none, or the caller may not see it.
                 */
                item_id: string | null;
                /** @description True if the item is valid on the day, but not for as many days more as it must be. */
                is_too_short: boolean;
            }[];
        };
        /** @description Filters a list of compliances. */
        CompliancesFilter: {
            /** @description Matches records that match all of these filters. Filters nest at most 5 levels deep, with 50 in total. */
            and?: components["schemas"]["CompliancesFilter"][] | null;
            /** @description Records of this kind. */
            kind?: ("company" | "contact" | "location" | "vehicle") | null;
            /**
             * Format: uuid
             * @description Vehicles and people at this location, and locations directly inside it.
             */
            location_id?: string | null;
            /** @description Like `locationId`, but matches any of these ids. */
            location_ids?: string[] | null;
            /** @description Matches records whose `modified` is in this range. */
            modified?: components["schemas"]["DateTimeRange"] | null;
            /**
             * Format: date-time
             * @description Matches records changed at or after this time.
             */
            modified_since?: string | null;
            /** @description Matches records that do not match this filter. Filters nest at most 5 levels deep, with 50 in total. */
            not?: components["schemas"]["CompliancesFilter"] | null;
            /** @description Matches records that match at least one of these filters. Filters nest at most 5 levels deep, with 50 in total. */
            or?: components["schemas"]["CompliancesFilter"][] | null;
            /**
             * Format: uuid
             * @description Records that do not meet this requirement.
             */
            requirement_id?: string | null;
            /** @description Like `requirementId`, but matches any of these ids. */
            requirement_ids?: string[] | null;
            /** @description Records in this state. */
            state?: ("compliant" | "due" | "non_compliant" | "not_required") | null;
            /**
             * Format: uuid
             * @description Records in this workspace.
             */
            team_id?: string | null;
            /** @description Part of the name, ignoring case. */
            term?: string | null;
            /** @description Matches records whose `until` is in this range. */
            until?: components["schemas"]["DateRange"] | null;
            /**
             * Format: int32
             * @description Records that are non-compliant, or will be in this many days, in the time zone of their workspace.
             */
            within?: number | null;
        };
        /** @description A person's decision about an upload. Omitted fields are taken from the sender's tags or the file name. */
        ConfirmUploadInput: {
            /** @description The name of the item's document type. If none has this name, one is created. */
            category?: string | null;
            /** @description The e-mail address of the item's contact. If none has this address, one is created. */
            contact_email?: string | null;
            /**
             * @description The day the item expires. Null if it has no date yet.
             * @example 2027-02-28
             */
            expiration_date?: string | null;
            /**
             * Format: uuid
             * @description The item that the file belongs to. If omitted, a new item is created.
             */
            expiration_item_id?: string | null;
            /** @description What the item is a paper of. An item that is filed already keeps the others that it has. If omitted, what the tags name. */
            holders?: components["schemas"]["HolderReference"][] | null;
            /** @description The new item's name. */
            name?: string | null;
            /** @description True to renew an item with the document: `expirationItemId`, or the one that the file is filed under. `expirationDate` must be later than its date. A file moves to it from an item that was made for the file, which goes into the bin. */
            renew?: boolean | null;
            /**
             * Format: uuid
             * @description The new item's workspace.
             */
            team_id?: string | null;
        };
        /** @description Changes to a contact. Omitted fields keep their values, and null clears a field. */
        ContactMergePatch: {
            /** @description The user the contact is assigned to. */
            assigned_to?: components["schemas"]["UserReference"] | null;
            /** @description The contact's id in the caller's own system. Any text is allowed. */
            contact_id?: string | null;
            /** @description Custom fields, in the order sent. */
            custom_fields?: components["schemas"]["CustomFieldInput"][] | null;
            /** @description E-mail address, unique in the organization. */
            email?: string | null;
            /** @description True if the contact is in use. */
            is_active?: boolean | null;
            /**
             * Format: uuid
             * @description The location where the contact works.
             */
            location_id?: string | null;
            /** @description Mobile telephone number. */
            mobile?: string | null;
            /** @description The contact's name. */
            name?: string | null;
            /** @description Telephone number. */
            phone?: string | null;
            /**
             * Format: uuid
             * @description The workspace the contact belongs to.
             */
            team_id?: string | null;
            /** @description IANA time zone. */
            timezone?: string | null;
            /**
             * Format: uuid
             * @description The contact's type.
             */
            type_id?: string | null;
        };
        /** @description A person who is reminded of items or responsible for them. */
        ContactModel: {
            /** @description The contact's name. */
            name: string | null;
            /**
             * Format: uuid
             * @description The contact's id.
             */
            id: string;
            /** @description E-mail address, unique in the organization. */
            email: string;
            /** @description IANA time zone. */
            timezone: string | null;
            /** @description Mobile telephone number. */
            mobile: string | null;
            /** @description Telephone number. */
            phone: string | null;
            /** @description The user the contact is assigned to. */
            assigned_to: components["schemas"]["UserModel"] | null;
            /**
             * Format: uuid
             * @description The contact's type.
             */
            type_id: string | null;
            /** @description The contact's id in the caller's own system. Any text is allowed. */
            contact_id: string | null;
            /**
             * Format: uuid
             * @description The location where the contact works.
             */
            location_id: string | null;
            /**
             * Format: uuid
             * @description The workspace the contact belongs to.
             */
            team_id: string;
            /** @description True if the contact is in use. */
            is_active: boolean;
            /**
             * Format: date-time
             * @description When the contact was last changed.
             */
            modified: string;
            /** @description Custom fields, in the order sent. */
            custom_fields: components["schemas"]["CustomFieldModel"][];
        };
        /** @description Refers to a contact by its id, or else by its email. If no contact has that email, one is created. */
        ContactReference: {
            /** @description The contact's email. */
            email?: string | null;
            /**
             * Format: uuid
             * @description The contact's id.
             */
            id?: string | null;
        };
        /** @description A kind of contact. */
        ContactType: {
            /** @description The contact type's name, unique in the organization. */
            name: string | null;
            /**
             * Format: uuid
             * @description The contact type's id.
             */
            id: string;
            /** @description True if the contact type is in use. */
            is_active: boolean;
            /**
             * Format: date-time
             * @description When the contact type was last changed.
             */
            modified: string;
        };
        /** @description Changes to a contact type. Omitted fields keep their values, and null clears a field. */
        ContactTypeMergePatch: {
            /** @description True if the contact type is in use. */
            is_active?: boolean | null;
            /** @description The contact type's name, unique in the organization. */
            name?: string | null;
        };
        /** @description A page of a list. */
        Contact_typesPage: {
            /** @description The rows of the page. */
            contact_types: components["schemas"]["ContactType"][];
            /**
             * Format: int32
             * @description The number of pages.
             */
            pages: number;
            /**
             * Format: int32
             * @description The page served, from 1.
             */
            page: number;
            /**
             * Format: int32
             * @description The number of rows on all pages.
             */
            total: number;
        };
        /** @description A page of a list. */
        ContactsPage: {
            /** @description The rows of the page. */
            contacts: components["schemas"]["ContactModel"][];
            /**
             * Format: int32
             * @description The number of pages.
             */
            pages: number;
            /**
             * Format: int32
             * @description The page served, from 1.
             */
            page: number;
            /**
             * Format: int32
             * @description The number of rows on all pages.
             */
            total: number;
        };
        /** @description The values of a new document type. Omitted fields get their defaults. */
        CreateCategoryInput: {
            /** @description The custom fields that its items have, in the order sent. */
            custom_fields?: components["schemas"]["CategoryCustomFieldInput"][] | null;
            /**
             * Format: uuid
             * @description The id of the new record, a UUID. If omitted, the server generates one.
             */
            id?: string | null;
            /** @description True if the document type is in use. */
            is_active?: boolean | null;
            /** @description The document type's name, unique in its workspace. */
            name: string;
            /**
             * Format: uuid
             * @description The workspace the document type belongs to.
             */
            team_id?: string | null;
        };
        /** @description The values of a new company. Omitted fields get their defaults. */
        CreateCompanyInput: {
            /** @description First line of the address. */
            address_line_1?: string | null;
            /** @description Second line of the address. */
            address_line_2?: string | null;
            /** @description The user the company is assigned to. */
            assigned_to?: components["schemas"]["UserReference"] | null;
            /** @description City. */
            city?: string | null;
            /**
             * Format: uuid
             * @description Country, as an id from the caller's own list. Stored as sent.
             */
            country_id?: string | null;
            /** @description Custom fields, in the order sent. */
            custom_fields?: components["schemas"]["CustomFieldInput"][] | null;
            /** @description The name that the company trades under. */
            doing_business_as?: string | null;
            /**
             * Format: uuid
             * @description The id of the new record, a UUID. If omitted, the server generates one.
             */
            id?: string | null;
            /** @description True if the company is archived. */
            is_archived?: boolean | null;
            /** @description The company's name. */
            name?: string | null;
            /** @description Telephone number. */
            phone?: string | null;
            /** @description Postal code. */
            postal_code?: string | null;
            /**
             * Format: uuid
             * @description The company's main contact.
             */
            primary_contact_id?: string | null;
            /** @description Province or state. */
            province?: string | null;
            /** @description Tax number, unique in the organization. */
            tax_id?: string | null;
            /**
             * Format: int32
             * @description Kind of tax number. Stored as sent.
             */
            tax_type_id?: number | null;
            /**
             * Format: uuid
             * @description The workspace the company belongs to.
             */
            team_id?: string | null;
            /**
             * Format: uuid
             * @description Type, as an id from the caller's own list. Stored as sent.
             */
            type_id?: string | null;
            /** @description Website. */
            website?: string | null;
        };
        /** @description The values of a new contact. Omitted fields get their defaults. */
        CreateContactInput: {
            /** @description The user the contact is assigned to. */
            assigned_to?: components["schemas"]["UserReference"] | null;
            /** @description The contact's id in the caller's own system. Any text is allowed. */
            contact_id?: string | null;
            /** @description Custom fields, in the order sent. */
            custom_fields?: components["schemas"]["CustomFieldInput"][] | null;
            /** @description E-mail address, unique in the organization. */
            email: string;
            /**
             * Format: uuid
             * @description The id of the new record, a UUID. If omitted, the server generates one.
             */
            id?: string | null;
            /** @description True if the contact is in use. */
            is_active?: boolean | null;
            /**
             * Format: uuid
             * @description The location where the contact works.
             */
            location_id?: string | null;
            /** @description Mobile telephone number. */
            mobile?: string | null;
            /** @description The contact's name. */
            name?: string | null;
            /** @description Telephone number. */
            phone?: string | null;
            /**
             * Format: uuid
             * @description The workspace the contact belongs to.
             */
            team_id?: string | null;
            /** @description IANA time zone. */
            timezone?: string | null;
            /**
             * Format: uuid
             * @description The contact's type.
             */
            type_id?: string | null;
        };
        /** @description The values of a new contact type. Omitted fields get their defaults. */
        CreateContactTypeInput: {
            /**
             * Format: uuid
             * @description The id of the new record, a UUID. If omitted, the server generates one.
             */
            id?: string | null;
            /** @description True if the contact type is in use. */
            is_active?: boolean | null;
            /** @description The contact type's name, unique in the organization. */
            name?: string | null;
            /**
             * Format: uuid
             * @description The workspace the contact type belongs to.
             */
            team_id?: string | null;
        };
        /** @description A request for a document: for the renewal of an item, or for a document of a type. Either a contact or an address is asked. */
        CreateDocumentRequestInput: {
            /**
             * Format: uuid
             * @description The document type. Default: that of the item.
             */
            category_id?: string | null;
            /**
             * @description The day by which the document is needed.
             * @example 2027-02-28
             */
            due_on?: string | null;
            /** @description The address that is asked, instead of a contact. */
            email?: string | null;
            /**
             * Format: uuid
             * @description The item that the document renews. Without one, it becomes a new item.
             */
            expiration_item_id?: string | null;
            /**
             * Format: uuid
             * @description The record whose document it is. Default: the first one of the item.
             */
            holder_id?: string | null;
            /** @description The kind of the record whose document it is. */
            holder_kind?: ("company" | "contact" | "location" | "vehicle") | null;
            /**
             * Format: uuid
             * @description The id of the new record, a UUID. If omitted, the server generates one.
             */
            id?: string | null;
            /** @description The language of the mails and the page. Default: that of the recipient, else of the organization. */
            language?: string | null;
            /** @description What the recipient is told, as plain text. */
            message?: string | null;
            /**
             * Format: uuid
             * @description The contact who is asked.
             */
            recipient_id?: string | null;
            /**
             * Format: uuid
             * @description The requirement of the record that needs the document. The request ends by itself when it is no longer in use, or the record is exempt from it. It also says the document type, if nothing else does.
             */
            requirement_id?: string | null;
            /**
             * Format: uuid
             * @description The workspace that asks. Default: that of the item or the record, else the default workspace of the caller.
             */
            team_id?: string | null;
        };
        /** @description Many requests for documents, at most 500: each of them, or what records lack, or both. */
        CreateDocumentRequestsInput: {
            /**
             * @description The day by which the documents are needed.
             * @example 2027-02-28
             */
            due_on?: string | null;
            /** @description Asks for what records lack. A person, the contact of a vehicle, the main contact of a company, or the contact of the item that expires is asked. */
            gaps?: components["schemas"]["DocumentRequestGapsInput"] | null;
            /** @description The language of those that have none of their own. */
            language?: string | null;
            /** @description What the recipients are told, as plain text. */
            message?: string | null;
            /** @description The requests. Each may have a message, a day and a language of its own. */
            requests?: components["schemas"]["CreateDocumentRequestInput"][] | null;
        };
        /** @description An exemption of a record from a requirement. */
        CreateExemptionInput: {
            /**
             * @description The first day. Default: today in the workspace.
             * @example 2027-02-28
             */
            from?: string | null;
            /**
             * Format: uuid
             * @description The id of the record that is exempt.
             */
            holder_id: string;
            /**
             * @description The kind of the record, which is that of the requirement.
             * @enum {string}
             */
            holder_kind: "company" | "contact" | "location" | "vehicle";
            /**
             * Format: uuid
             * @description The id of the new record, a UUID. If omitted, the server generates one.
             */
            id?: string | null;
            /** @description Why the record is exempt. */
            reason: string;
            /**
             * Format: uuid
             * @description The requirement that need not be met.
             */
            requirement_id: string;
            /**
             * @description The last day. Without one, the exemption has no end.
             * @example 2027-02-28
             */
            until?: string | null;
        };
        /** @description The values of a new expiration item. Omitted fields get their defaults. */
        CreateExpirationItemInput: {
            /** @description The user the item is assigned to. */
            assigned_to?: components["schemas"]["UserReference"] | null;
            /** @description The files attached to the item. */
            attachments?: components["schemas"]["AttachmentInput"][] | null;
            /** @description The item's document type. */
            category?: components["schemas"]["CategoryReference"] | null;
            /** @description The name of a document type. Used only if `category` names none. */
            category_name?: string | null;
            /**
             * Format: uuid
             * @description The item's main contact.
             */
            contact_id?: string | null;
            /** @description The contacts of the item, in the order sent. */
            contacts?: components["schemas"]["ContactReference"][] | null;
            /** @description Custom fields, in the order sent. */
            custom_fields?: components["schemas"]["CustomFieldInput"][] | null;
            /** @description Free text. */
            details?: string | null;
            /**
             * @description The day the item expires. Null only for an item filed from a scan without a date.
             * @example 2027-02-28
             */
            expiration_date: string;
            /**
             * Format: uuid
             * @description The id of the new record, a UUID. If omitted, the server generates one.
             */
            id?: string | null;
            /** @description True if the item is in use. An item that is not in use is archived. */
            is_active?: boolean | null;
            /** @description True if the item's document is required but absent. */
            is_missing?: boolean | null;
            /** @description The locations of the item, in the order sent. */
            locations?: components["schemas"]["LocationReference"][] | null;
            /** @description The item's name. */
            name: string;
            /** @description The tags of the item, in the order sent. */
            tags?: components["schemas"]["TagReference"][] | null;
            /**
             * Format: uuid
             * @description The workspace the item belongs to.
             */
            team_id?: string | null;
            /** @description The local time at which reminders are sent, `HH:mm`. */
            time_of_day?: string | null;
        };
        /** @description The values of a new location. Omitted fields get their defaults. */
        CreateLocationInput: {
            /** @description Custom fields, in the order sent. */
            custom_fields?: components["schemas"]["CustomFieldInput"][] | null;
            /**
             * Format: uuid
             * @description The id of the new record, a UUID. If omitted, the server generates one.
             */
            id?: string | null;
            /** @description The location's name, unique under its parent in the organization. */
            name?: string | null;
            /**
             * Format: uuid
             * @description The location that contains this one.
             */
            parent_location_id?: string | null;
            /**
             * Format: uuid
             * @description The workspace the location belongs to.
             */
            team_id?: string | null;
        };
        /** @description The values of a new note. Omitted fields get their defaults. */
        CreateNoteInput: {
            /** @description The note as HTML. Anything but plain formatting is removed. */
            body?: string | null;
            /** @description The note as plain text. If omitted, or if only the body changes, it is derived from the body. `@[Max Power](id)` mentions a user, who must see what the note is about and gets a mail, once for a note. */
            body_text?: string | null;
            /**
             * Format: uuid
             * @description The id of the new record, a UUID. If omitted, the server generates one.
             */
            id?: string | null;
            /** @description The note's title. */
            name?: string | null;
            /** @description The records that the note is about, in the order sent and without duplicates. */
            relations?: components["schemas"]["NoteRelationInput"][] | null;
            /**
             * Format: uuid
             * @description The workspace the note belongs to.
             */
            team_id?: string | null;
        };
        /** @description The values of a new reminder policy. Omitted fields get their defaults. */
        CreateReminderPolicyInput: {
            /** @description Whether contacts who are reminded may renew items, by a link in the mail. */
            contacts_may_renew?: boolean | null;
            /**
             * @description Whether reminders are sent on working days only. If so, those for other days are moved, but never closer to the
             *     date.
             */
            deliver_on?: ("any" | "working_days") | null;
            /**
             * Format: uuid
             * @description The id of the new record, a UUID. If omitted, the server generates one.
             */
            id?: string | null;
            /** @description The policy's name, unique in its workspace. */
            name: string;
            /** @description The steps of the policy, the earliest first. */
            steps?: components["schemas"]["ReminderStepInput"][] | null;
            /**
             * Format: uuid
             * @description The workspace the policy belongs to.
             */
            team_id?: string | null;
            /** @description The local time at which reminders are sent, `HH:mm`, for items without a time of their own. */
            time_of_day?: string | null;
        };
        /** @description The values of a new requirement. Omitted fields get their defaults. */
        CreateRequirementInput: {
            /** @description True if an item without an expiration date counts. It never expires. */
            allow_no_date?: boolean | null;
            /** @description The ids of the document types, one of which is enough. At least one is needed. */
            any_of: string[];
            /** @description Which records of the kind must meet the requirement: a filter with the members that their list has, such as `{"locationId": "…"}`. Those about the caller (`hasNone`, `modifiedSince`) are not among them. If empty, all that are not archived. */
            applies?: Record<string, unknown> | null;
            /**
             * Format: int32
             * @description The number of days before a document expires from which the next one is asked for.
             */
            ask_days_before?: number | null;
            /**
             * Format: int32
             * @description The number of days after which whoever is asked gets the mail again.
             */
            ask_every_days?: number | null;
            /** @description Who is asked for a document by itself when it is missing or expires soon. Null if nobody is. */
            ask_to?: ("assignee" | "holder" | "main_contact") | null;
            /**
             * Format: int32
             * @description The number of days, from the day a record is created, for which the requirement may be unmet.
             */
            grace_days?: number | null;
            /**
             * @description The kind of records that must meet the requirement.
             * @enum {string}
             */
            holder_kind: "company" | "contact" | "location" | "vehicle";
            /**
             * Format: uuid
             * @description The id of the new record, a UUID. If omitted, the server generates one.
             */
            id?: string | null;
            /** @description True if the requirement is in use. */
            is_active?: boolean | null;
            /** @description The requirement's name. */
            name: string;
            /** @description True if an item counts only with a file. */
            needs_file?: boolean | null;
            /**
             * Format: uuid
             * @description The workspace whose records must meet the requirement.
             */
            team_id?: string | null;
            /**
             * Format: int32
             * @description The number of days for which an item must be valid after the day that is asked about.
             */
            valid_days?: number | null;
        };
        /** @description The values of a new tag. Omitted fields get their defaults. */
        CreateTagInput: {
            /**
             * Format: uuid
             * @description The id of the new record, a UUID. If omitted, the server generates one.
             */
            id?: string | null;
            /** @description The tag's name, unique in its workspace. */
            name: string;
            /**
             * Format: uuid
             * @description The workspace the tag belongs to.
             */
            team_id?: string | null;
        };
        /** @description The values of a new workspace. Omitted fields get their defaults. */
        CreateTeamInput: {
            /**
             * Format: uuid
             * @description The id of the new record, a UUID. If omitted, the server generates one.
             */
            id?: string | null;
            /** @description True if the workspace is in use. */
            is_active?: boolean | null;
            /** @description The workspace's name. */
            name: string;
            /**
             * Format: int32
             * @description Number of days before the expiration date when the workspace's reminder policy begins.
             */
            reminder_days?: number | null;
            /** @description The IANA time zone that defines "today" for the status of items. */
            timezone?: string | null;
        };
        /** @description The values of a new vehicle. Omitted fields get their defaults. */
        CreateVehicleInput: {
            /** @description The user the vehicle is assigned to. */
            assigned_to?: components["schemas"]["UserReference"] | null;
            /**
             * Format: uuid
             * @description The contact the vehicle is assigned to.
             */
            assigned_to_contact_id?: string | null;
            /** @description Body type. */
            body_type?: string | null;
            /** @description Colour. */
            color?: string | null;
            /** @description Custom fields, in the order sent. */
            custom_fields?: components["schemas"]["CustomFieldInput"][] | null;
            /**
             * Format: uuid
             * @description Folder, as an id from the caller's own system. Stored as sent.
             */
            folder_id?: string | null;
            /**
             * Format: uuid
             * @description The id of the new record, a UUID. If omitted, the server generates one.
             */
            id?: string | null;
            /** @description True if the vehicle is archived. */
            is_archived?: boolean | null;
            /** @description Licence plate. */
            license_plate?: string | null;
            /**
             * Format: uuid
             * @description The location of the vehicle.
             */
            location_id?: string | null;
            /** @description Manufacturer. */
            make?: string | null;
            /** @description Model. */
            model?: string | null;
            /**
             * Format: double
             * @description Manufacturer's suggested retail price.
             */
            msrp?: number | null;
            /** @description The vehicle's name. */
            name?: string | null;
            /**
             * Format: int32
             * @description Who owns the vehicle: 1 owned, 2 leased, 3 rented, 4 customer. Other values are stored as sent.
             */
            ownership_id?: number | null;
            /**
             * Format: int32
             * @description Reading of the primary meter.
             */
            primary_meter_reading?: number | null;
            /**
             * Format: int32
             * @description The unit of the primary meter: 1 km, 2 mi, 3 hr. Other values are stored as sent.
             */
            primary_meter_type_id?: number | null;
            /** @description Province or state of registration. */
            registration_province?: string | null;
            /**
             * Format: uuid
             * @description Status, as an id from the caller's own list. Stored as sent.
             */
            status_id?: string | null;
            /**
             * Format: uuid
             * @description The workspace the vehicle belongs to.
             */
            team_id?: string | null;
            /** @description Trim level. */
            trim?: string | null;
            /**
             * Format: uuid
             * @description Type, as an id from the caller's own list. Stored as sent.
             */
            type_id?: string | null;
            /**
             * Format: uuid
             * @description Fuel type, as an id from the caller's own list. Stored as sent.
             */
            vehicle_fuel_type_id?: string | null;
            /** @description Vehicle identification number, unique in the organization. */
            vin?: string | null;
            /**
             * Format: int32
             * @description Model year.
             */
            year?: number | null;
        };
        /** @description The requests that were made, and those that were not. */
        CreatedDocumentRequestsModel: {
            /** @description The requests that were made. */
            created: components["schemas"]["DocumentRequestModel"][];
            /** @description Those that were not made. */
            refused: components["schemas"]["RefusedDocumentRequestModel"][];
        };
        /** @description A custom field: a name and a value chosen by the caller. */
        CustomFieldInput: {
            /**
             * Format: uuid
             * @description The custom field's id. If omitted, the server generates one.
             */
            id?: string | null;
            /** @description The custom field's name, at most 255 characters. */
            name?: string | null;
            /** @description The custom field's value, at most 4096 characters. */
            value?: string | null;
        };
        /** @description A custom field: a name and a value chosen by the caller. */
        CustomFieldModel: {
            /**
             * Format: uuid
             * @description The custom field's id.
             */
            id: string;
            /** @description The custom field's name. */
            name: string | null;
            /** @description The custom field's value. */
            value: string | null;
        };
        /** @description A range of dates, where later means greater. Every bound is optional. Null is never in a range. */
        DateRange: {
            /**
             * @description Greater than this value.
             * @example 2027-02-28
             */
            gt?: string | null;
            /**
             * @description Greater than or equal to this value.
             * @example 2027-02-28
             */
            gte?: string | null;
            /**
             * @description Less than this value.
             * @example 2027-02-28
             */
            lt?: string | null;
            /**
             * @description Less than or equal to this value.
             * @example 2027-02-28
             */
            lte?: string | null;
        };
        /** @description A range of times, where later means greater. Every bound is optional. Null is never in a range. */
        DateTimeRange: {
            /**
             * Format: date-time
             * @description Greater than this value.
             */
            gt?: string | null;
            /**
             * Format: date-time
             * @description Greater than or equal to this value.
             */
            gte?: string | null;
            /**
             * Format: date-time
             * @description Less than this value.
             */
            lt?: string | null;
            /**
             * Format: date-time
             * @description Less than or equal to this value.
             */
            lte?: string | null;
        };
        /** @description Why an answer is sent back. */
        DeclineDocumentRequestInput: {
            /** @description The reason, which the recipient reads. */
            reason: string;
        };
        /** @description A page of a list. */
        DeliveriesPage: {
            /** @description The rows of the page. */
            deliveries: components["schemas"]["DeliveryModel"][];
            /**
             * Format: int32
             * @description The number of pages.
             */
            pages: number;
            /**
             * Format: int32
             * @description The page served, from 1.
             */
            page: number;
            /**
             * Format: int32
             * @description The number of rows on all pages.
             */
            total: number;
        };
        /** @description A message that the gateway sends, such as a mail with a reminder. */
        DeliveryModel: {
            /**
             * Format: uuid
             * @description The delivery's id.
             */
            id: string;
            /**
             * @description How it is sent.
             * @enum {string}
             */
            kind: "chat" | "mail" | "webhook";
            /**
             * @description The state of the delivery.
             * @enum {string}
             */
            state: "cancelled" | "failed" | "queued" | "sent" | "suppressed";
            /** @description The address or endpoint that it is sent to. For a contact that the caller may not see, only a word. */
            address: string;
            /**
             * @description What it is about: `item`, `digest` (several items), `allIsWell`, `invitation`, `signInLink`, `webhookDisabled`,
             *     `documentRequest` or `mention`.
             */
            subject_kind: string;
            /**
             * Format: uuid
             * @description The id of the item that it is about, if the caller may see it. Null if there are several.
             */
            expiration_item_id: string | null;
            /**
             * Format: int32
             * @description The number of attempts to send it.
             */
            attempts: number;
            /** @description Why it did not arrive, in plain words. */
            last_error: string | null;
            /**
             * Format: int32
             * @description The status code of the server's last refusal.
             */
            status_code: number | null;
            /** @description The message's id, the same for every attempt. */
            message_id: string | null;
            /**
             * Format: date-time
             * @description The earliest time of the next attempt. Null once it is settled.
             */
            due_at: string | null;
            /**
             * Format: date-time
             * @description When it was sent, cancelled or given up.
             */
            settled_at: string | null;
            /**
             * Format: uuid
             * @description The workspace that it belongs to.
             */
            team_id: string;
            /**
             * Format: date-time
             * @description When it was queued.
             */
            created: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            modified: string;
        };
        /** @description How somebody gets reminders. */
        DigestSettingInput: {
            /** @description Whether a mail comes each week even if nothing was due: how much is watched, what is next, and when the last mail was taken. Default: false. */
            all_is_well?: boolean | null;
            /**
             * @description How they get reminders.
             * @enum {string}
             */
            mode: "daily" | "single" | "weekly";
            /** @description The time of a daily or weekly mail, `HH:mm`, in the recipient's time zone or else the workspace's. Default: `08:00`. */
            time?: string | null;
            /**
             * Format: int32
             * @description The day of a weekly mail: 1 Monday to 7 Sunday. Default: 1.
             */
            weekday?: number | null;
            /** @description Whether a mail comes each week that lists the vehicles, people, companies and locations that lack something they must have. If none does, none comes. Only users get it. Default: false. */
            what_is_missing?: boolean | null;
        };
        /** @description How somebody gets reminders: a mail for each item, or one mail a day or a week. */
        DigestSettingModel: {
            /** @description The id or the word that it was asked for by. */
            id: string;
            /**
             * @description How they get reminders.
             * @enum {string}
             */
            mode: "single" | "daily" | "weekly";
            /**
             * Format: int32
             * @description The day of a weekly mail: 1 Monday to 7 Sunday.
             */
            weekday: number;
            /** @description The time of a daily or weekly mail, `HH:mm`, in the recipient's time zone or else the workspace's. */
            time: string;
            /** @description Whether a mail comes each week even if nothing was due: how much is watched, what is next, and when the last mail was taken. */
            all_is_well: boolean;
            /** @description Whether a mail comes each week that lists the vehicles, people, companies and locations that lack something they must have. If none does, none comes. Only users get it. */
            what_is_missing: boolean;
            /**
             * @description Whose setting it is.
             * @enum {string}
             */
            from: "own" | "users" | "contacts" | "organization" | "none";
        };
        /** @description How many requests for documents are in a state. */
        DocumentRequestCountModel: {
            /**
             * @description The state.
             * @enum {string}
             */
            state: "accepted" | "cancelled" | "lapsed" | "open" | "opened" | "received" | "sent";
            /**
             * Format: int32
             * @description The number of requests.
             */
            count: number;
            /**
             * Format: int32
             * @description Those among them that nobody has answered by the day on which they were needed.
             */
            overdue: number;
        };
        /** @description What records lack: each requirement that a record does not meet. */
        DocumentRequestGapsInput: {
            /** @description Only records that match this filter of `compliances`. */
            filter?: components["schemas"]["CompliancesFilter"] | null;
            /** @description Only these records. */
            holder_ids?: string[] | null;
            /** @description Only what these requirements ask for. */
            requirement_ids?: string[] | null;
        };
        /** @description Somebody is asked for a document, by a link in a mail. */
        DocumentRequestModel: {
            /**
             * Format: uuid
             * @description The request's id.
             */
            id: string;
            /**
             * @description How far it has come.
             * @enum {string}
             */
            state: "accepted" | "cancelled" | "lapsed" | "open" | "opened" | "received" | "sent";
            /** @description Why it ended without an answer. Null if it did not. */
            ending: ("exempt" | "holder_gone" | "item_gone" | "member" | "met" | "not_required" | "recipient_gone" | "type_gone") | null;
            /**
             * Format: uuid
             * @description The id of the document type that is asked for, if the caller may see it.
             */
            category_id: string | null;
            /**
             * Format: uuid
             * @description The item that the document renews or became, if the caller may see it.
             */
            item_id: string | null;
            /** @description True if the document renews an item. It becomes a new one otherwise. */
            renews: boolean;
            /**
             * Format: date
             * @description The expiration date of the item when the document was asked for.
             */
            item_date: string | null;
            /** @description The kind of the record whose document it is. Null if none was named. */
            holder_kind: ("company" | "contact" | "location" | "vehicle") | null;
            /**
             * Format: uuid
             * @description The id of the record whose document it is. Null if none was named, or it is gone.
             */
            holder_id: string | null;
            /**
             * Format: uuid
             * @description The id of the contact who is asked, if the caller may see it.
             */
            recipient_id: string | null;
            /**
             * Format: uuid
             * @description The requirement that needs the document, if the caller may see it. Null for others.
             */
            requirement_id: string | null;
            /** @description True if a requirement needs the document: it asks for it by itself, or what a record lacks was asked for. */
            is_required: boolean;
            /** @description True if a reminder asked for it, in its own mail. */
            is_reminded: boolean;
            /**
             * Format: int32
             * @description Days between its mails. If null, the usual ones.
             */
            every_days: number | null;
            /** @description The address that is asked, if it was typed. Null if a contact is asked. */
            email: string | null;
            /** @description The language of the mails and the page. If null, that of the recipient, else of the organization. */
            language: string | null;
            /** @description What the recipient is told. */
            message: string | null;
            /**
             * Format: date
             * @description The day by which the document is needed.
             */
            due_on: string | null;
            /** @description Why the last answer was sent back, as the recipient is told. */
            declined_reason: string | null;
            /** @description What the recipient wrote. */
            answer: string | null;
            /**
             * Format: date
             * @description The expiration date that the recipient stated. Nothing is done with it unseen.
             */
            stated_date: string | null;
            /**
             * Format: uuid
             * @description The archived item that keeps the received files until somebody decides. Null before and after.
             */
            held_item_id: string | null;
            /**
             * Format: date-time
             * @description When the first mail was sent.
             */
            sent_at: string | null;
            /**
             * Format: date-time
             * @description When the page of its link was first opened by a person.
             */
            opened_at: string | null;
            /**
             * Format: date-time
             * @description When the last answer was received.
             */
            received_at: string | null;
            /**
             * Format: date-time
             * @description When it was accepted or ended.
             */
            settled_at: string | null;
            /**
             * Format: uuid
             * @description The workspace that asks.
             */
            team_id: string;
            /**
             * Format: date-time
             * @description When the document was asked for.
             */
            created: string;
            /**
             * Format: date-time
             * @description When the request last changed.
             */
            modified: string;
        };
        /** @description A page of a list. */
        DocumentrequestsPage: {
            /** @description The rows of the page. */
            documentrequests: components["schemas"]["DocumentRequestModel"][];
            /**
             * Format: int32
             * @description The number of pages.
             */
            pages: number;
            /**
             * Format: int32
             * @description The page served, from 1.
             */
            page: number;
            /**
             * Format: int32
             * @description The number of rows on all pages.
             */
            total: number;
        };
        /** @description A record that an event is about. It may no longer exist. */
        EntityRelationModel: {
            /**
             * Format: uuid
             * @description The record's id.
             */
            id: string;
            /**
             * Format: int32
             * @description The kind of record: 1 expiration item, 2 document type, 3 vehicle, 4 company, 5 contact, 6 contact type, 7 location, 8 note, 9 workspace, 10 tag, 11 attachment, 12 upload notification, 13 reminder policy, 14 watch, 15 mail text, 16 requirement, 17 document request.
             */
            type_id: number;
        };
        /** @description Why a request failed. */
        ErrorBody: {
            /** @description What is wrong, for people. */
            message: string;
            /**
             * @description Always false.
             * @constant
             */
            ok: false;
            /**
             * @description What is wrong, for programs.
             * @enum {string}
             */
            code: "BAD_REQUEST" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "CONFLICT" | "GONE" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "UNPROCESSABLE" | "TOO_MANY_REQUESTS" | "INTERNAL_ERROR" | "UNAVAILABLE";
        };
        /** @description An event: what happened to a record, when, and who did it. It is written in the same transaction as the change. */
        EventLogModel: {
            /** @description What happened, in a sentence. */
            description: string;
            /** @description The changed fields before and after the change, as JSON text. */
            details: string | null;
            /**
             * Format: date-time
             * @description When it happened.
             */
            created: string;
            /**
             * Format: uuid
             * @description The event's id.
             */
            id: string;
            /**
             * Format: int32
             * @description The kind of event: 1 created, 2 updated, 3 renewed, 4 deleted, 5 archived, 6 restored, 7 reminder sent, 8 reminder failed, 9 acknowledged, 10 scan received, 11 scan filed, 12 scan failed, 13 token created, 14 token revoked, 15 expired, 16 became due, 17 auto renewed, 18 webhook disabled, 19 user invited, 20 user changed, 21 user deactivated, 22 member added, 23 member removed, 24 organization changed, 25 token changed, 26 signed in, 27 sign-in failed, 28 sign-in changed, 29 signed out, 30 imported, 31 person erased, 32 exempted, 33 exemption ended, 34 compliance changed, 35 request sent, 36 request received, 37 request accepted, 38 request declined, 39 request cancelled, 40 request lapsed, 41 compliance link created, 42 compliance link revoked, 43 request opened, 44 request resent.
             */
            type_id: number;
            /** @description The user who did it. Null if that user no longer exists. */
            user: components["schemas"]["UserModel"] | null;
            /** @description The records that it is about. */
            related_entities: components["schemas"]["EntityRelationModel"][];
        };
        /** @description A page of a list. */
        EventlogsPage: {
            /** @description The rows of the page. */
            eventlogs: components["schemas"]["EventLogModel"][];
            /**
             * Format: int32
             * @description The number of pages.
             */
            pages: number;
            /**
             * Format: int32
             * @description The page served, from 1.
             */
            page: number;
            /**
             * Format: int32
             * @description The number of rows on all pages.
             */
            total: number;
        };
        /** @description A time for which a record need not meet a requirement. */
        ExemptionModel: {
            /**
             * Format: uuid
             * @description The exemption's id.
             */
            id: string;
            /**
             * Format: uuid
             * @description The id of the requirement that need not be met.
             */
            requirement_id: string;
            /**
             * @description The kind of the record that is exempt.
             * @enum {string}
             */
            holder_kind: "company" | "contact" | "location" | "vehicle";
            /**
             * Format: uuid
             * @description The id of the record that is exempt.
             */
            holder_id: string;
            /**
             * Format: date
             * @description The first day of the exemption.
             */
            from: string;
            /**
             * Format: date
             * @description The last day of the exemption. Null if it has no end.
             */
            until: string | null;
            /**
             * Format: date
             * @description The day on which the exemption was ended, from which it no longer holds.
             */
            ended_on: string | null;
            /** @description Why the record is exempt. */
            reason: string;
            /**
             * Format: uuid
             * @description The workspace of its requirement.
             */
            team_id: string;
            /**
             * Format: date-time
             * @description When the exemption was created.
             */
            created: string;
            /**
             * Format: date-time
             * @description When the exemption was created or ended.
             */
            modified: string;
        };
        /** @description A page of a list. */
        ExemptionsPage: {
            /** @description The rows of the page. */
            exemptions: components["schemas"]["ExemptionModel"][];
            /**
             * Format: int32
             * @description The number of pages.
             */
            pages: number;
            /**
             * Format: int32
             * @description The page served, from 1.
             */
            page: number;
            /**
             * Format: int32
             * @description The number of rows on all pages.
             */
            total: number;
        };
        /** @description A thing that expires, such as a document, a licence or a vehicle's papers. */
        ExpirationItem: {
            /**
             * Format: uuid
             * @description The item's id.
             */
            id: string;
            /** @description The item's name. */
            name: string;
            /**
             * Format: date
             * @description The day the item expires. Null only for an item filed from a scan without a date.
             */
            expiration_date: string | null;
            /**
             * @description The item's status today, in the time zone of its workspace.
             * @enum {string}
             */
            status: "archived" | "current" | "expired" | "missing" | "nodate" | "notifying";
            /** @description The local time at which reminders are sent, `HH:mm`. */
            time_of_day: string | null;
            /** @description The item's document type. */
            category: components["schemas"]["CategoryModel"] | null;
            /** @description Free text. */
            details: string | null;
            /** @description The user the item is assigned to. */
            assigned_to: components["schemas"]["UserModel"] | null;
            /**
             * Format: int32
             * @description The status as a number: 1 current, 2 notifying, 3 expired, 4 archived, 5 nodate, 6 missing.
             */
            status_id: number;
            /**
             * Format: date-time
             * @description When the item was last changed.
             */
            modified: string;
            /** @description The name of the item's document type. */
            category_name: string | null;
            /** @description True if the item is in use. An item that is not in use is archived. */
            is_active: boolean;
            /**
             * Format: uuid
             * @description The workspace the item belongs to.
             */
            team_id: string;
            /** @description The contacts of the item, in the order sent. */
            contacts: components["schemas"]["ContactModel"][];
            /** @description The files attached to the item. */
            attachments: components["schemas"]["ExpirationItemAttachmentModel"][];
            /** @description Custom fields, in the order sent. */
            custom_fields: components["schemas"]["CustomFieldModel"][];
            /** @description The locations of the item, in the order sent. */
            locations: components["schemas"]["LocationModel"][];
            /** @description The tags of the item, in the order sent. */
            tags: components["schemas"]["TagModel"][];
            /**
             * Format: uuid
             * @description The item's main contact.
             */
            contact_id: string | null;
        };
        /** @description A file attached to an item. */
        ExpirationItemAttachmentModel: {
            /**
             * Format: uuid
             * @description The attachment's id.
             */
            id: string;
            /** @description The file's bytes, in base64. Null if they are not stored here. If they are missing, damaged or cannot be read now, it is null, and an error says why. */
            content: string | null;
            /** @description File name. */
            name: string | null;
            /** @description Media type. */
            content_type: string | null;
            /**
             * Format: date-time
             * @description When the attachment was created.
             */
            created: string;
            /**
             * Format: int64
             * @description Size in bytes.
             */
            content_legth: number;
        };
        /** @description Changes to an expiration item. Omitted fields keep their values, and null clears a field. */
        ExpirationItemMergePatch: {
            /** @description The user the item is assigned to. */
            assigned_to?: components["schemas"]["UserReference"] | null;
            /** @description The files attached to the item. */
            attachments?: components["schemas"]["AttachmentInput"][] | null;
            /** @description The item's document type. */
            category?: components["schemas"]["CategoryReference"] | null;
            /** @description The name of a document type. Used only if `category` names none. */
            category_name?: string | null;
            /**
             * Format: uuid
             * @description The item's main contact.
             */
            contact_id?: string | null;
            /** @description The contacts of the item, in the order sent. */
            contacts?: components["schemas"]["ContactReference"][] | null;
            /** @description Custom fields, in the order sent. */
            custom_fields?: components["schemas"]["CustomFieldInput"][] | null;
            /** @description Free text. */
            details?: string | null;
            /**
             * @description The day the item expires. Null only for an item filed from a scan without a date.
             * @example 2027-02-28
             */
            expiration_date?: string | null;
            /** @description True if the item is in use. An item that is not in use is archived. */
            is_active?: boolean | null;
            /** @description The locations of the item, in the order sent. */
            locations?: components["schemas"]["LocationReference"][] | null;
            /** @description The item's name. */
            name?: string | null;
            /** @description The tags of the item, in the order sent. */
            tags?: components["schemas"]["TagReference"][] | null;
            /**
             * Format: uuid
             * @description The workspace the item belongs to.
             */
            team_id?: string | null;
            /** @description The local time at which reminders are sent, `HH:mm`. */
            time_of_day?: string | null;
        };
        /** @description A page of a list. */
        Expiration_itemsPage: {
            /** @description The rows of the page. */
            expiration_items: components["schemas"]["ExpirationItem"][];
            /**
             * Format: int32
             * @description The number of pages.
             */
            pages: number;
            /**
             * Format: int32
             * @description The page served, from 1.
             */
            page: number;
            /**
             * Format: int32
             * @description The number of rows on all pages.
             */
            total: number;
        };
        /**
         * @description What was last found out about the compliance of a record, for lists. A row belongs to each record of a workspace that
         *     requires something of its kind. Asking about one record computes it anew.
         */
        HolderComplianceModel: {
            /**
             * Format: uuid
             * @description The id of the entry in the list.
             */
            id: string;
            /**
             * @description The kind of the record.
             * @enum {string}
             */
            holder_kind: "company" | "contact" | "location" | "vehicle";
            /**
             * Format: uuid
             * @description The id of the record.
             */
            holder_id: string;
            /** @description What the record is called. */
            name: string | null;
            /**
             * @description The state.
             * @enum {string}
             */
            state: "compliant" | "due" | "non_compliant" | "not_required";
            /**
             * Format: date
             * @description The last day on which it is not yet non-compliant, if nothing changes. Null if it is already, or never will be.
             */
            until: string | null;
            /** @description The requirements that are not met. */
            gap_ids: string[];
            /**
             * Format: uuid
             * @description The id of the workspace of the record.
             */
            team_id: string;
            /**
             * Format: date-time
             * @description When the state last changed.
             */
            modified: string;
        };
        /** @description A record that an item is a paper of, by its id and name. */
        HolderModel: {
            /**
             * @description The kind of record.
             * @enum {string}
             */
            kind: "company" | "contact" | "location" | "vehicle";
            /**
             * Format: uuid
             * @description The record's id.
             */
            id: string;
            /** @description The name of the record, or what else identifies it: a licence plate, or an e-mail address. */
            name: string | null;
        };
        /** @description Refers to a holder by its kind and its id, or else by a natural key of that kind. Nothing is created: a key that names no record is `NOT_FOUND`, and one that names several is `CONFLICT`. */
        HolderReference: {
            /** @description The e-mail address of a person. */
            email?: string | null;
            /**
             * Format: uuid
             * @description The record's id.
             */
            id?: string | null;
            /**
             * @description The kind of record.
             * @enum {string}
             */
            kind: "company" | "contact" | "location" | "vehicle";
            /** @description The licence plate of a vehicle. Spaces, hyphens and dots make no difference. */
            license_plate?: string | null;
            /** @description The name of a company or a location. */
            name?: string | null;
            /** @description The tax number of a company. */
            tax_id?: string | null;
            /** @description The vehicle identification number of a vehicle. */
            vin?: string | null;
        };
        /** @description Holders of an item. */
        HoldersInput: {
            /** @description The holders. They may be more than the 100 that an item's own input takes. */
            holders: components["schemas"]["HolderReference"][];
        };
        /** @description A page of a list. */
        HoldersPage: {
            /** @description The rows of the page. */
            holders: components["schemas"]["HolderComplianceModel"][];
            /**
             * Format: int32
             * @description The number of pages.
             */
            pages: number;
            /**
             * Format: int32
             * @description The page served, from 1.
             */
            page: number;
            /**
             * Format: int32
             * @description The number of rows on all pages.
             */
            total: number;
        };
        /** @description Records that would be made because rows name them. They are counted apart from those of the rows. */
        ImportAlongsideModel: {
            /**
             * @description The kind of the records.
             * @enum {string}
             */
            kind: "company" | "contact" | "location" | "vehicle";
            /**
             * Format: int32
             * @description Their number.
             */
            count: number;
        };
        /** @description A column of a file. */
        ImportColumnModel: {
            /** @description Its header in the file. */
            header: string;
            /** @description The member that it is imported to, in the names of REST. Null if it is not imported. */
            column: string | null;
            /** @description The member that its values suggest, if its header is not recognized. */
            guess: string | null;
            /** @description Its first three values. */
            samples: string[];
        };
        /** @description Values of a column that a spreadsheet seems to have damaged. Records keep theirs, unless `acceptDamage` names the column. */
        ImportDamagedColumnModel: {
            /** @description The column, in the names of REST. */
            column: string;
            /**
             * @description What seems to have happened.
             * @enum {string}
             */
            damage: "lost_zeros" | "rounded";
            /**
             * Format: int32
             * @description The number of values.
             */
            cells: number;
            /** @description The value of the first record. */
            before: string;
            /** @description Its value in the file. */
            after: string;
            /** @description True if the values are imported nevertheless. */
            accepted: boolean;
        };
        /** @description A column of a file with dates. */
        ImportDateColumnModel: {
            /** @description Its header in the file. */
            header: string;
            /** @description The order in which they are read: the chosen one, or the one that they prove. */
            format: ("ymd" | "dmy" | "mdy") | null;
            /** @description True if `dateFormat` has to be chosen, because the dates prove no order. */
            asked: boolean;
            /**
             * Format: int32
             * @description Cells that are empty, or say that there is no date, such as `unbefristet` or `n/a`.
             */
            undated: number;
            /**
             * Format: int32
             * @description The first of the hundred years that two digits mean. Null if no date has two.
             */
            first_short_year: number | null;
            /** @description A date that different orders read differently. */
            example: components["schemas"]["ImportDateExampleModel"] | null;
        };
        /** @description A date that different orders read differently. */
        ImportDateExampleModel: {
            /**
             * Format: int32
             * @description Its line of the file, from 1.
             */
            row: number;
            /** @description The text of its cell. */
            value: string;
            /** @description The dates that it can mean. */
            readings: components["schemas"]["ImportDateReadingModel"][];
        };
        /** @description A date as one order reads it. */
        ImportDateReadingModel: {
            /**
             * @description The order.
             * @enum {string}
             */
            format: "ymd" | "dmy" | "mdy";
            /**
             * Format: date
             * @description The date in this order.
             */
            date: string;
        };
        /** @description A record that stays as it is when an import is taken back. */
        ImportKeptRecordModel: {
            /**
             * Format: uuid
             * @description The record's id.
             */
            id: string;
            /** @description The record's kind, if it is a holder that the import made. Null for a record of the import's own kind. */
            kind: ("company" | "contact" | "location" | "vehicle") | null;
            /** @description The record's name. */
            name: string | null;
            /** @description Why it stays. */
            message: string;
        };
        /** @description Cells that are left out, because they name what exists neither in the file nor here. */
        ImportLeftOutModel: {
            /** @description The list. */
            list: string;
            /** @description The column. */
            column: string;
            /**
             * Format: int32
             * @description The number of cells.
             */
            cells: number;
        };
        /** @description What would become of a list of a workspace. The attached files are a list, too. */
        ImportListPreviewModel: {
            /** @description Its name, such as `items`. */
            list: string;
            /**
             * Format: int32
             * @description Its rows.
             */
            rows: number;
            /**
             * Format: int32
             * @description Records that would be created.
             */
            created: number;
            /**
             * Format: int32
             * @description Records that would be updated.
             */
            updated: number;
            /**
             * Format: int32
             * @description Records that are already as the list says.
             */
            unchanged: number;
            /**
             * Format: int32
             * @description Rows that cannot be imported.
             */
            failed: number;
            /** @description False for a list that is not imported at all. */
            imported: boolean;
        };
        /** @description A CSV file whose rows become records, or a ZIP file with a whole workspace. Only the person who created it sees it. */
        ImportModel: {
            /**
             * Format: uuid
             * @description The import's id.
             */
            id: string;
            /** @description The file's name. */
            file_name: string | null;
            /** @description Why it failed. */
            error: string | null;
            /**
             * Format: int32
             * @description Rows of the file, once it has been read.
             */
            row_count: number;
            /**
             * Format: int32
             * @description Rows processed so far.
             */
            done_count: number;
            /**
             * Format: int32
             * @description Records created so far.
             */
            created_count: number;
            /**
             * Format: int32
             * @description Records updated so far.
             */
            updated_count: number;
            /**
             * Format: int32
             * @description Records that already were as the file says.
             */
            unchanged_count: number;
            /**
             * Format: int32
             * @description Rows that could not be imported.
             */
            failed_count: number;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            modified: string;
            /**
             * Format: date-time
             * @description Until when it can be taken back: for seven days, or as long as the bin keeps records. Null if it cannot be.
             */
            undo_until: string | null;
            /** @description How far it has been taken back. Null if nobody has begun. */
            undo: components["schemas"]["ImportUndoModel"] | null;
            /**
             * @description What it does with records that exist.
             * @enum {string}
             */
            mode: "create_only" | "upsert" | "update_only";
            /**
             * @description The kind of records.
             * @enum {string}
             */
            kind: "items" | "contacts" | "vehicles" | "locations" | "companies" | "types" | "workspace";
            /**
             * @description How far it has come.
             * @enum {string}
             */
            state: "reading" | "ready" | "running" | "done" | "cancelled" | "failed" | "undoing" | "undone";
            /** @description What running it would do. */
            preview: components["schemas"]["ImportPreviewModel"] | null;
        };
        /** @description What an import would do. Nothing is written for it. */
        ImportPreviewModel: {
            /** @description The sheets of a workbook. Empty for another file. */
            sheets: components["schemas"]["ImportSheetModel"][];
            /**
             * Format: int32
             * @description The line with the headers, from 1. Null in a preview of an older version.
             */
            header_line: number | null;
            /** @description The encoding of a text. Null for a workbook. */
            encoding: ("utf_8" | "utf_16" | "windows_1252") | null;
            /** @description The columns of the file. */
            columns: components["schemas"]["ImportColumnModel"][];
            /** @description Names of nobody who is known, and of holders that do not exist. `people` says who or what they are. */
            people: components["schemas"]["ImportUnknownPersonModel"][];
            /** @description Its columns with dates. */
            dates: components["schemas"]["ImportDateColumnModel"][];
            /**
             * Format: int32
             * @description Records that would be created.
             */
            created: number;
            /**
             * Format: int32
             * @description Records that would be updated.
             */
            updated: number;
            /**
             * Format: int32
             * @description Records that are already as the file says.
             */
            unchanged: number;
            /**
             * Format: int32
             * @description Rows that cannot be imported.
             */
            failed: number;
            /** @description Vehicles, contacts, companies and locations that would be made because rows name them. */
            alongside: components["schemas"]["ImportAlongsideModel"][];
            /** @description The first 100 errors. */
            errors: components["schemas"]["ImportRowErrorModel"][];
            /** @description The first 100 cells that can be imported, but are probably wrong. */
            warnings: components["schemas"]["ImportRowErrorModel"][];
            /** @description Values that a spreadsheet seems to have damaged, by column. */
            damaged: components["schemas"]["ImportDamagedColumnModel"][];
            /** @description The first 20 rows, with what would be done. */
            rows: components["schemas"]["ImportRowModel"][];
            /** @description The workspace that would be imported, if the file has a whole one. */
            workspace: components["schemas"]["ImportWorkspaceModel"] | null;
        };
        /** @description Why a row cannot be imported. */
        ImportRowErrorModel: {
            /** @description The list of the row, in an import of a whole workspace. */
            list: string | null;
            /**
             * Format: int32
             * @description The line of the file, from 1.
             */
            row: number;
            /** @description The header of the column, if it is one. */
            column: string | null;
            /** @description The beginning of the value. */
            value: string | null;
            /** @description What is wrong. */
            message: string;
        };
        /** @description A row of a file, as it would be imported. */
        ImportRowModel: {
            /**
             * Format: int32
             * @description Its line of the file, from 1.
             */
            row: number;
            /**
             * @description What would be done.
             * @enum {string}
             */
            action: "created" | "updated" | "unchanged" | "failed";
            /** @description The values that it changes. */
            changes: {
                /** @description The column, in the names of REST. */
                column: string;
                /** @description The value that the record has. Null if it has none. */
                before: string | null;
                /** @description The value as it will be stored. */
                after: string | null;
                /** @description What a spreadsheet seems to have done to it. Null for nothing. */
                damage: ("lost_zeros" | "rounded") | null;
                /** @description True if the record keeps its value because of the damage. */
                left_out: boolean;
            }[];
            /** @description Its cells. */
            values: {
                [key: string]: string;
            };
        };
        /** @description A sheet of a workbook. */
        ImportSheetModel: {
            /** @description Its name. */
            name: string;
            /** @description True if the workbook does not show it. */
            hidden: boolean;
            /** @description True for the one that is imported. */
            chosen: boolean;
        };
        /** @description How far an import has been taken back. */
        ImportUndoModel: {
            /**
             * Format: int32
             * @description Records that it made, and that are in the bin now.
             */
            deleted: number;
            /**
             * Format: int32
             * @description Records that it changed, and that have their values again.
             */
            restored: number;
            /**
             * Format: int32
             * @description Records that were deleted before, or moved out of sight.
             */
            gone: number;
            /**
             * Format: int32
             * @description Records that stay as they are.
             */
            kept: number;
            /** @description The first 100 of these. */
            records: components["schemas"]["ImportKeptRecordModel"][];
        };
        /** @description A name in the cells of a column that nobody known has. */
        ImportUnknownPersonModel: {
            /** @description The header of the column. */
            header: string;
            /** @description The name, as cells have it. */
            value: string;
            /**
             * Format: int32
             * @description The number of rows with it.
             */
            rows: number;
            /** @description The kinds of records that `make` makes of it, if the column is one of holders. */
            kinds: ("company" | "contact" | "location" | "vehicle")[];
        };
        /** @description A workspace that would be imported. */
        ImportWorkspaceModel: {
            /** @description The name that it had where it was exported. */
            name: string;
            /**
             * Format: date-time
             * @description When it was exported.
             */
            exported: string;
            /** @description The version of the gateway that exported it. */
            gateway: string;
            /**
             * Format: int64
             * @description Bytes of its attached files.
             */
            bytes: number;
            /** @description Its lists, in the order in which they are imported. */
            lists: components["schemas"]["ImportListPreviewModel"][];
            /** @description Cells that are left out. */
            left_out: components["schemas"]["ImportLeftOutModel"][];
        };
        /** @description All holders of an item, without pages. */
        ItemHoldersModel: {
            /**
             * Format: uuid
             * @description The item.
             */
            expiration_item_id: string;
            /** @description The records that the item is a paper of, in order, as far as the caller sees them. */
            holders: components["schemas"]["HolderModel"][];
            /**
             * Format: date-time
             * @description When the item was last changed.
             */
            modified: string;
        };
        /** @description Changes to a location. Omitted fields keep their values, and null clears a field. */
        LocationMergePatch: {
            /** @description Custom fields, in the order sent. */
            custom_fields?: components["schemas"]["CustomFieldInput"][] | null;
            /** @description The location's name, unique under its parent in the organization. */
            name?: string | null;
            /**
             * Format: uuid
             * @description The location that contains this one.
             */
            parent_location_id?: string | null;
            /**
             * Format: uuid
             * @description The workspace the location belongs to.
             */
            team_id?: string | null;
        };
        /** @description A place. Places form a tree. */
        LocationModel: {
            /**
             * Format: uuid
             * @description The location's id.
             */
            id: string;
            /**
             * Format: uuid
             * @description The location that contains this one.
             */
            parent_location_id: string | null;
            /** @description The location's name, unique under its parent in the organization. */
            name: string | null;
            /**
             * Format: uuid
             * @description The workspace the location belongs to.
             */
            team_id: string;
            /**
             * Format: date-time
             * @description When the location was last changed.
             */
            modified: string;
            /** @description Custom fields, in the order sent. */
            custom_fields: components["schemas"]["CustomFieldModel"][];
        };
        /** @description Refers to a location by its id, or else by its name. If no location has that name, one is created. */
        LocationReference: {
            /**
             * Format: uuid
             * @description The location's id.
             */
            id?: string | null;
            /** @description The location's name. */
            name?: string | null;
        };
        /** @description A page of a list. */
        LocationsPage: {
            /** @description The rows of the page. */
            locations: components["schemas"]["LocationModel"][];
            /**
             * Format: int32
             * @description The number of pages.
             */
            pages: number;
            /**
             * Format: int32
             * @description The page served, from 1.
             */
            page: number;
            /**
             * Format: int32
             * @description The number of rows on all pages.
             */
            total: number;
        };
        /** @description Changes to a note. Omitted fields keep their values, and null clears a field. */
        NoteMergePatch: {
            /** @description The note as HTML. Anything but plain formatting is removed. */
            body?: string | null;
            /** @description The note as plain text. If omitted, or if only the body changes, it is derived from the body. `@[Max Power](id)` mentions a user, who must see what the note is about and gets a mail, once for a note. */
            body_text?: string | null;
            /** @description The note's title. */
            name?: string | null;
            /** @description The records that the note is about, in the order sent and without duplicates. */
            relations?: components["schemas"]["NoteRelationInput"][] | null;
            /**
             * Format: uuid
             * @description The workspace the note belongs to.
             */
            team_id?: string | null;
        };
        /** @description A note about other records. */
        NoteModel: {
            /**
             * Format: uuid
             * @description The note's id.
             */
            id: string;
            /** @description The note's title. */
            name: string | null;
            /** @description The note as sanitized HTML. */
            body: string | null;
            /** @description The note as plain text. */
            body_text: string | null;
            /**
             * Format: uuid
             * @description The workspace the note belongs to.
             */
            team_id: string;
            /**
             * Format: date-time
             * @description When the note was created.
             */
            created: string;
            /**
             * Format: date-time
             * @description When the note was last changed.
             */
            modified: string;
            /** @description The records that the note is about, in the order sent and without duplicates. */
            relations: components["schemas"]["NoteRelationModel"][];
        };
        /** @description A record that a note is about. */
        NoteRelationInput: {
            /**
             * Format: uuid
             * @description The record's id. Stored as sent.
             */
            entity_id: string;
            /**
             * Format: int32
             * @description The kind of record: 1 expiration item, 2 document type, 3 vehicle, 4 company, 5 contact, 6 contact type, 7 location, 8 note, 9 workspace, 10 tag, 11 attachment, 12 upload notification, 13 reminder policy, 14 watch, 15 mail text, 16 requirement, 17 document request.
             */
            entity_type?: number | null;
        };
        /** @description A record that a note is about. */
        NoteRelationModel: {
            /**
             * Format: uuid
             * @description The record's id.
             */
            entity_id: string;
            /**
             * Format: int32
             * @description The kind of record: 1 expiration item, 2 document type, 3 vehicle, 4 company, 5 contact, 6 contact type, 7 location, 8 note, 9 workspace, 10 tag, 11 attachment, 12 upload notification, 13 reminder policy, 14 watch, 15 mail text, 16 requirement, 17 document request.
             */
            entity_type: number;
        };
        /** @description A page of a list. */
        NotesPage: {
            /** @description The rows of the page. */
            notes: components["schemas"]["NoteModel"][];
            /**
             * Format: int32
             * @description The number of pages.
             */
            pages: number;
            /**
             * Format: int32
             * @description The page served, from 1.
             */
            page: number;
            /**
             * Format: int32
             * @description The number of rows on all pages.
             */
            total: number;
        };
        /** @description The last day to give notice of an item, or the rule that computes it. */
        NoticePeriodInput: {
            /**
             * @description The last day to give notice, not after the expiration date. Ignored if there is a rule.
             * @example 2027-02-28
             */
            notice_date?: string | null;
            /** @description How the last day to give notice follows from the expiration date: 3 months before it, or 6 weeks before the end of a quarter. If the expiration date changes, it is computed anew. */
            rule?: components["schemas"]["NoticeRuleInput"] | null;
        };
        /** @description The last day to give notice of an item, and how it is computed. */
        NoticePeriodModel: {
            /**
             * Format: uuid
             * @description The item.
             */
            expiration_item_id: string;
            /**
             * Format: date
             * @description The day the item expires.
             */
            expiration_date: string | null;
            /**
             * Format: date
             * @description The last day to give notice. Null if a rule waits for an expiration date.
             */
            notice_date: string | null;
            /** @description How the last day to give notice follows from the expiration date: 3 months before it, or 6 weeks before the end of a quarter. If the expiration date changes, it is computed anew. Null for a day that was typed. */
            rule: components["schemas"]["NoticeRuleModel"] | null;
            /**
             * Format: date-time
             * @description When the item was last changed.
             */
            modified: string;
        };
        /** @description How the last day to give notice follows from the expiration date: 3 months before it, or 6 weeks before the end of a quarter. If the expiration date changes, it is computed anew. */
        NoticeRuleInput: {
            /** @description The day that they are counted back from. Default: `EXPIRATION`. */
            before?: ("end_of_month" | "end_of_quarter" | "end_of_year" | "expiration") | null;
            /**
             * Format: int32
             * @description The number of units.
             */
            count: number;
            /**
             * @description The unit.
             * @enum {string}
             */
            unit: "days" | "months" | "weeks" | "years";
        };
        /** @description How the last day to give notice follows from the expiration date: 3 months before it, or 6 weeks before the end of a quarter. If the expiration date changes, it is computed anew. */
        NoticeRuleModel: {
            /**
             * @description The unit.
             * @enum {string}
             */
            unit: "days" | "months" | "weeks" | "years";
            /**
             * Format: int32
             * @description The number of units.
             */
            count: number;
            /**
             * @description The day that they are counted back from.
             * @enum {string}
             */
            before: "end_of_month" | "end_of_quarter" | "end_of_year" | "expiration";
        };
        /** @description Operations, applied in order. The leading slash of `path` and `from` may be omitted. */
        PatchDocument: components["schemas"]["PatchOperation"][];
        /** @description One operation of a JSON Patch (RFC 6902). */
        PatchOperation: {
            /** @description Accepted and ignored. */
            operationType?: string | null;
            /** @description JSON Pointer to the source of `move` and `copy`. */
            from?: string | null;
            /** @description `add`, `remove`, `replace`, `move`, `copy` or `test`, ignoring case. */
            op: string;
            /** @description JSON Pointer (RFC 6901) to the target of the operation. */
            path: string;
            /** @description The value for `add`, `replace` and `test`. Default: null. */
            value?: unknown;
        };
        /** @description Why a request failed, as problem details (RFC 9457). */
        Problem: {
            /**
             * @description The status says what kind of problem it is.
             * @constant
             */
            type: "about:blank";
            /** @description The name of the status. */
            title: string;
            /**
             * Format: int32
             * @description The status.
             */
            status: number;
            /** @description What is wrong, for people. */
            detail: string;
            /**
             * Format: uri
             * @description The id of the request.
             */
            instance?: string;
            /** @description What is wrong, for programs. */
            code: string;
            /** @description What is wrong with members of the body, by JSON pointer, or with parameters, by name. */
            errors?: {
                /** @description The member, from the body. */
                pointer?: string;
                /** @description The parameter. */
                parameter?: string;
                /** @description What is wrong with it. */
                detail: string;
                /**
                 * @description The rule that it breaks.
                 * @enum {string}
                 */
                rule?: "required" | "type" | "format" | "length" | "characters" | "entries" | "range" | "depth" | "reference" | "cycle" | "conflict" | "unknown" | "invalid";
            }[];
        };
        /** @description A message about a file, as the upload service sends it. */
        ReceiveUploadInput: {
            /** @description What happened to the file. `fp.upload` means that it was stored. */
            action?: string | null;
            /**
             * Format: int64
             * @description The sender's id of the notification.
             */
            id?: number | null;
            /** @description The file. */
            text?: components["schemas"]["UploadTextInput"] | null;
            /**
             * Format: int64
             * @description The sender's time of the event.
             */
            timestamp?: number | null;
            /** @description Tags of the file, if `text` has none: any JSON object. */
            upload_Tags?: Record<string, unknown> | null;
        };
        /** @description A request for a document that was not made, and why. */
        RefusedDocumentRequestModel: {
            /**
             * Format: int32
             * @description Its place in `requests`. Null for a gap.
             */
            index: number | null;
            /** @description The code of the error, such as `CONFLICT` if the recipient is already asked for it. */
            code: string;
            /** @description The reason, in words. */
            message: string;
            /** @description The member that is wrong, if it is one. */
            field: string | null;
            /**
             * Format: uuid
             * @description The item to renew.
             */
            expiration_item_id: string | null;
            /**
             * Format: uuid
             * @description The document type.
             */
            category_id: string | null;
            /** @description The kind of the record whose document it is. */
            holder_kind: ("company" | "contact" | "location" | "vehicle") | null;
            /**
             * Format: uuid
             * @description The record whose document it is.
             */
            holder_id: string | null;
        };
        /** @description Changes to a reminder policy. Omitted fields keep their values, and null clears a field. */
        ReminderPolicyMergePatch: {
            /** @description Whether contacts who are reminded may renew items, by a link in the mail. */
            contacts_may_renew?: boolean | null;
            /**
             * @description Whether reminders are sent on working days only. If so, those for other days are moved, but never closer to the
             *     date.
             */
            deliver_on?: ("any" | "working_days") | null;
            /** @description The policy's name, unique in its workspace. */
            name?: string | null;
            /** @description The steps of the policy, the earliest first. */
            steps?: components["schemas"]["ReminderStepInput"][] | null;
            /**
             * Format: uuid
             * @description The workspace the policy belongs to.
             */
            team_id?: string | null;
            /** @description The local time at which reminders are sent, `HH:mm`, for items without a time of their own. */
            time_of_day?: string | null;
        };
        /**
         * @description Defines when people are reminded of an item. An item follows its own policy, else that of its document type, else
         *     that of its workspace.
         */
        ReminderPolicyModel: {
            /**
             * Format: uuid
             * @description The policy's id.
             */
            id: string;
            /** @description The policy's name, unique in its workspace. */
            name: string;
            /** @description The local time at which reminders are sent, `HH:mm`, for items without a time of their own. */
            time_of_day: string;
            /**
             * @description Whether reminders are sent on working days only. If so, those for other days are moved, but never closer to the
             *     date.
             * @enum {string}
             */
            deliver_on: "any" | "working_days";
            /**
             * Format: int32
             * @description The number of days from the first step to the expiration date, or -1 if no step is before or on the date.
             */
            lead_days: number;
            /** @description Whether contacts who are reminded may renew items, by a link in the mail. */
            contacts_may_renew: boolean;
            /** @description The steps of the policy, the earliest first. */
            steps: components["schemas"]["ReminderStepModel"][];
            /**
             * Format: uuid
             * @description The workspace the policy belongs to.
             */
            team_id: string;
            /**
             * Format: date-time
             * @description When the policy was created.
             */
            created: string;
            /**
             * Format: date-time
             * @description When the policy was last changed.
             */
            modified: string;
        };
        /** @description One step of a reminder policy: when to send a reminder, and to whom. */
        ReminderStepInput: {
            /** @description The date that the step counts from. If null, it counts from each date of an item. If omitted, a step with the same offset keeps its date. */
            about?: ("expiration" | "notice") | null;
            /** @description Additional addresses to notify. */
            addresses?: string[] | null;
            /** @description True if its mails have a link by which the recipient sends the new document. A request for it is made with the first one. Not for steps about the last day to give notice. */
            asks_for_document?: boolean | null;
            /** @description Chat channels to notify. They belong to the same workspace. */
            channel_ids?: string[] | null;
            /**
             * Format: int32
             * @description The number of days from the date, -3650 to 3650. Negative means before it.
             */
            offset_days: number;
            /** @description True if the step is skipped once the date is acknowledged. */
            only_unacknowledged?: boolean | null;
            /** @description The recipients. Default: CONTACTS, MAIN_CONTACT, ASSIGNEE and WATCHERS. May be empty if there are channels. */
            recipients?: ("addresses" | "admins" | "assignee" | "contacts" | "main_contact" | "watchers" | "workspace_members")[] | null;
            /**
             * Format: int32
             * @description The maximum number of repetitions. Default: 365.
             */
            repeat_count?: number | null;
            /**
             * Format: int32
             * @description The number of days between repetitions, until acknowledged.
             */
            repeat_every_days?: number | null;
        };
        /** @description One step of a reminder policy: when to send a reminder, and to whom. */
        ReminderStepModel: {
            /**
             * Format: uuid
             * @description The step's id. It stays the same as long as the step's offset does.
             */
            id: string;
            /** @description The date that the step counts from. If null, it counts from each date of an item. */
            about: ("expiration" | "notice") | null;
            /**
             * Format: int32
             * @description The number of days from the date. Negative means before it.
             */
            offset_days: number;
            /**
             * Format: int32
             * @description The number of days between repetitions, until acknowledged. If null, it is not repeated.
             */
            repeat_every_days: number | null;
            /**
             * Format: int32
             * @description The maximum number of repetitions. Null means 365.
             */
            repeat_count: number | null;
            /** @description True if the step is skipped once the date is acknowledged. */
            only_unacknowledged: boolean;
            /** @description True if its mails have a link by which the recipient sends the new document. */
            asks_for_document: boolean;
            /** @description The recipients, by their relation to the item. */
            recipients: ("addresses" | "admins" | "assignee" | "contacts" | "main_contact" | "watchers" | "workspace_members")[];
            /** @description Additional addresses to notify. */
            addresses: string[];
        };
        /** @description A page of a list. */
        Reminder_policiesPage: {
            /** @description The rows of the page. */
            reminder_policies: components["schemas"]["ReminderPolicyModel"][];
            /**
             * Format: int32
             * @description The number of pages.
             */
            pages: number;
            /**
             * Format: int32
             * @description The page served, from 1.
             */
            page: number;
            /**
             * Format: int32
             * @description The number of rows on all pages.
             */
            total: number;
        };
        /** @description A renewal. */
        RenewExpirationItemInput: {
            /** @description New details for the item. If omitted, it keeps its details. */
            details?: string | null;
            /**
             * @description The new expiration date. It must be later than the current one.
             * @example 2027-02-28
             */
            expiration_date: string;
        };
        /** @description A renewal of an item, with the dates before and after it. */
        RenewalModel: {
            /**
             * Format: uuid
             * @description The renewal's id.
             */
            id: string;
            /**
             * Format: date
             * @description The expiration date before the renewal.
             */
            previous_date: string | null;
            /**
             * Format: date
             * @description The expiration date after the renewal.
             */
            expiration_date: string;
            /** @description The details given for the renewal. */
            details: string | null;
            /**
             * Format: date-time
             * @description When the item was renewed.
             */
            created: string;
            /** @description The user who renewed the item. */
            user: components["schemas"]["UserModel"] | null;
        };
        /** @description A page of a list. */
        RenewalsPage: {
            /** @description The rows of the page. */
            renewals: components["schemas"]["RenewalModel"][];
            /**
             * Format: int32
             * @description The number of pages.
             */
            pages: number;
            /**
             * Format: int32
             * @description The page served, from 1.
             */
            page: number;
            /**
             * Format: int32
             * @description The number of rows on all pages.
             */
            total: number;
        };
        /** @description The end of the renewals of an item. If there are both, the earlier one counts. */
        RepetitionInput: {
            /**
             * @description The last day to which the item is renewed automatically. When it would be renewed beyond it, it is archived instead.
             * @example 2027-02-28
             */
            renew_until?: string | null;
            /**
             * Format: int32
             * @description How often the item is still renewed. It counts down with each renewal. At 0, the item is archived instead.
             */
            renewals_left?: number | null;
        };
        /** @description The end of the renewals of an item. */
        RepetitionModel: {
            /**
             * Format: uuid
             * @description The item.
             */
            expiration_item_id: string;
            /**
             * Format: date
             * @description The day the item expires.
             */
            expiration_date: string | null;
            /**
             * Format: date
             * @description The last day to which the item is renewed automatically. When it would be renewed beyond it, it is archived instead.
             */
            renew_until: string | null;
            /**
             * Format: int32
             * @description How often the item is still renewed. It counts down with each renewal. At 0, the item is archived instead.
             */
            renewals_left: number | null;
            /**
             * Format: date-time
             * @description When the item was last changed.
             */
            modified: string;
        };
        /** @description The complete new state of a company. Omitted fields return to their defaults, but the record stays in its workspace. */
        ReplaceCompanyInput: {
            /** @description First line of the address. */
            address_line_1?: string | null;
            /** @description Second line of the address. */
            address_line_2?: string | null;
            /** @description The user the company is assigned to. */
            assigned_to?: components["schemas"]["UserReference"] | null;
            /** @description City. */
            city?: string | null;
            /**
             * Format: uuid
             * @description Country, as an id from the caller's own list. Stored as sent.
             */
            country_id?: string | null;
            /** @description Custom fields, in the order sent. */
            custom_fields?: components["schemas"]["CustomFieldInput"][] | null;
            /** @description The name that the company trades under. */
            doing_business_as?: string | null;
            /** @description True if the company is archived. */
            is_archived?: boolean | null;
            /** @description The company's name. */
            name?: string | null;
            /** @description Telephone number. */
            phone?: string | null;
            /** @description Postal code. */
            postal_code?: string | null;
            /**
             * Format: uuid
             * @description The company's main contact.
             */
            primary_contact_id?: string | null;
            /** @description Province or state. */
            province?: string | null;
            /** @description Tax number, unique in the organization. */
            tax_id?: string | null;
            /**
             * Format: int32
             * @description Kind of tax number. Stored as sent.
             */
            tax_type_id?: number | null;
            /**
             * Format: uuid
             * @description The workspace the company belongs to.
             */
            team_id?: string | null;
            /**
             * Format: uuid
             * @description Type, as an id from the caller's own list. Stored as sent.
             */
            type_id?: string | null;
            /** @description Website. */
            website?: string | null;
        };
        /** @description The complete new state of a contact. Omitted fields return to their defaults, but the record stays in its workspace. */
        ReplaceContactInput: {
            /** @description The user the contact is assigned to. */
            assigned_to?: components["schemas"]["UserReference"] | null;
            /** @description The contact's id in the caller's own system. Any text is allowed. */
            contact_id?: string | null;
            /** @description Custom fields, in the order sent. */
            custom_fields?: components["schemas"]["CustomFieldInput"][] | null;
            /** @description E-mail address, unique in the organization. */
            email: string;
            /** @description True if the contact is in use. */
            is_active?: boolean | null;
            /**
             * Format: uuid
             * @description The location where the contact works.
             */
            location_id?: string | null;
            /** @description Mobile telephone number. */
            mobile?: string | null;
            /** @description The contact's name. */
            name?: string | null;
            /** @description Telephone number. */
            phone?: string | null;
            /**
             * Format: uuid
             * @description The workspace the contact belongs to.
             */
            team_id?: string | null;
            /** @description IANA time zone. */
            timezone?: string | null;
            /**
             * Format: uuid
             * @description The contact's type.
             */
            type_id?: string | null;
        };
        /** @description The complete new state of a vehicle. Omitted fields return to their defaults, but the record stays in its workspace. */
        ReplaceVehicleInput: {
            /** @description The user the vehicle is assigned to. */
            assigned_to?: components["schemas"]["UserReference"] | null;
            /**
             * Format: uuid
             * @description The contact the vehicle is assigned to.
             */
            assigned_to_contact_id?: string | null;
            /** @description Body type. */
            body_type?: string | null;
            /** @description Colour. */
            color?: string | null;
            /** @description Custom fields, in the order sent. */
            custom_fields?: components["schemas"]["CustomFieldInput"][] | null;
            /**
             * Format: uuid
             * @description Folder, as an id from the caller's own system. Stored as sent.
             */
            folder_id?: string | null;
            /** @description True if the vehicle is archived. */
            is_archived?: boolean | null;
            /** @description Licence plate. */
            license_plate?: string | null;
            /**
             * Format: uuid
             * @description The location of the vehicle.
             */
            location_id?: string | null;
            /** @description Manufacturer. */
            make?: string | null;
            /** @description Model. */
            model?: string | null;
            /**
             * Format: double
             * @description Manufacturer's suggested retail price.
             */
            msrp?: number | null;
            /** @description The vehicle's name. */
            name?: string | null;
            /**
             * Format: int32
             * @description Who owns the vehicle: 1 owned, 2 leased, 3 rented, 4 customer. Other values are stored as sent.
             */
            ownership_id?: number | null;
            /**
             * Format: int32
             * @description Reading of the primary meter.
             */
            primary_meter_reading?: number | null;
            /**
             * Format: int32
             * @description The unit of the primary meter: 1 km, 2 mi, 3 hr. Other values are stored as sent.
             */
            primary_meter_type_id?: number | null;
            /** @description Province or state of registration. */
            registration_province?: string | null;
            /**
             * Format: uuid
             * @description Status, as an id from the caller's own list. Stored as sent.
             */
            status_id?: string | null;
            /**
             * Format: uuid
             * @description The workspace the vehicle belongs to.
             */
            team_id?: string | null;
            /** @description Trim level. */
            trim?: string | null;
            /**
             * Format: uuid
             * @description Type, as an id from the caller's own list. Stored as sent.
             */
            type_id?: string | null;
            /**
             * Format: uuid
             * @description Fuel type, as an id from the caller's own list. Stored as sent.
             */
            vehicle_fuel_type_id?: string | null;
            /** @description Vehicle identification number, unique in the organization. */
            vin?: string | null;
            /**
             * Format: int32
             * @description Model year.
             */
            year?: number | null;
        };
        /** @description Changes to a requirement. Omitted fields keep their values, and null clears a field. */
        RequirementMergePatch: {
            /** @description True if an item without an expiration date counts. It never expires. */
            allow_no_date?: boolean | null;
            /** @description The ids of the document types, one of which is enough. At least one is needed. */
            any_of?: string[] | null;
            /** @description Which records of the kind must meet the requirement: a filter with the members that their list has, such as `{"locationId": "…"}`. Those about the caller (`hasNone`, `modifiedSince`) are not among them. If empty, all that are not archived. */
            applies?: Record<string, unknown> | null;
            /**
             * Format: int32
             * @description The number of days before a document expires from which the next one is asked for.
             */
            ask_days_before?: number | null;
            /**
             * Format: int32
             * @description The number of days after which whoever is asked gets the mail again.
             */
            ask_every_days?: number | null;
            /** @description Who is asked for a document by itself when it is missing or expires soon. Null if nobody is. */
            ask_to?: ("assignee" | "holder" | "main_contact") | null;
            /**
             * Format: int32
             * @description The number of days, from the day a record is created, for which the requirement may be unmet.
             */
            grace_days?: number | null;
            /** @description The kind of records that must meet the requirement. */
            holder_kind?: ("company" | "contact" | "location" | "vehicle") | null;
            /** @description True if the requirement is in use. */
            is_active?: boolean | null;
            /** @description The requirement's name. */
            name?: string | null;
            /** @description True if an item counts only with a file. */
            needs_file?: boolean | null;
            /**
             * Format: uuid
             * @description The workspace whose records must meet the requirement.
             */
            team_id?: string | null;
            /**
             * Format: int32
             * @description The number of days for which an item must be valid after the day that is asked about.
             */
            valid_days?: number | null;
        };
        /** @description What vehicles, people, companies or locations must have: an item of one of some document types. */
        RequirementModel: {
            /**
             * Format: uuid
             * @description The requirement's id.
             */
            id: string;
            /** @description The requirement's name. */
            name: string;
            /**
             * @description The kind of records that must meet the requirement.
             * @enum {string}
             */
            holder_kind: "company" | "contact" | "location" | "vehicle";
            /** @description Which records of the kind must meet the requirement: a filter with the members that their list has, such as `{"locationId": "…"}`. Those about the caller (`hasNone`, `modifiedSince`) are not among them. If empty, all that are not archived. */
            applies: unknown;
            /** @description The ids of the document types, one of which is enough. */
            any_of: string[];
            /**
             * Format: int32
             * @description The number of days for which an item must be valid after the day that is asked about.
             */
            valid_days: number;
            /**
             * Format: int32
             * @description The number of days, from the day a record is created, for which the requirement may be unmet.
             */
            grace_days: number;
            /** @description True if an item counts only with a file. */
            needs_file: boolean;
            /** @description True if an item without an expiration date counts. It never expires. */
            allow_no_date: boolean;
            /** @description Who is asked for a document by itself when it is missing or expires soon. Null if nobody is. */
            ask_to: ("assignee" | "holder" | "main_contact") | null;
            /**
             * Format: int32
             * @description The number of days before a document expires from which the next one is asked for.
             */
            ask_days_before: number;
            /**
             * Format: int32
             * @description The number of days after which whoever is asked gets the mail again.
             */
            ask_every_days: number;
            /** @description True if the requirement is in use. */
            is_active: boolean;
            /**
             * Format: uuid
             * @description The workspace whose records must meet the requirement.
             */
            team_id: string;
            /**
             * Format: date-time
             * @description When the requirement was last changed.
             */
            modified: string;
        };
        /** @description A page of a list. */
        RequirementsPage: {
            /** @description The rows of the page. */
            requirements: components["schemas"]["RequirementModel"][];
            /**
             * Format: int32
             * @description The number of pages.
             */
            pages: number;
            /**
             * Format: int32
             * @description The page served, from 1.
             */
            page: number;
            /**
             * Format: int32
             * @description The number of rows on all pages.
             */
            total: number;
        };
        /** @description A file that comes in pieces. Only the person who created it sees it. */
        ResumableUploadModel: {
            /**
             * Format: uuid
             * @description The upload's id.
             */
            id: string;
            /**
             * Format: uuid
             * @description The workspace's id.
             */
            team_id: string;
            /** @description The file's name. */
            file_name: string | null;
            /** @description The file's media type. */
            content_type: string | null;
            /**
             * Format: int64
             * @description Size of the whole file in bytes.
             */
            length: number;
            /**
             * Format: int64
             * @description The number of bytes that have come.
             */
            offset: number;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created: string;
            /**
             * Format: date-time
             * @description When it is deleted, if nobody has used it until then.
             */
            expires_at: string;
        };
        /** @description The contacts of an item. */
        SetExpirationItemContactsInput: {
            /** @description All contacts of the item, in order. An empty list removes them all. */
            contacts: components["schemas"]["ContactReference"][];
        };
        /** @description Changes to a tag. Omitted fields keep their values, and null clears a field. */
        TagMergePatch: {
            /** @description The tag's name, unique in its workspace. */
            name?: string | null;
            /**
             * Format: uuid
             * @description The workspace the tag belongs to.
             */
            team_id?: string | null;
        };
        /** @description A word that groups items. */
        TagModel: {
            /**
             * Format: uuid
             * @description The tag's id.
             */
            id: string;
            /** @description The tag's name, unique in its workspace. */
            name: string | null;
            /**
             * Format: uuid
             * @description The workspace the tag belongs to.
             */
            team_id: string;
            /**
             * Format: date-time
             * @description When the tag was last changed.
             */
            modified: string;
            /**
             * Format: uuid
             * @description The organization the tag belongs to.
             */
            organization_id: string;
        };
        /** @description Refers to a tag by its id, or else by its name. If no tag has that name, one is created. */
        TagReference: {
            /**
             * Format: uuid
             * @description The tag's id.
             */
            id?: string | null;
            /** @description The tag's name. */
            name?: string | null;
        };
        /** @description A page of a list. */
        TagsPage: {
            /** @description The rows of the page. */
            tags: components["schemas"]["TagModel"][];
            /**
             * Format: int32
             * @description The number of pages.
             */
            pages: number;
            /**
             * Format: int32
             * @description The page served, from 1.
             */
            page: number;
            /**
             * Format: int32
             * @description The number of rows on all pages.
             */
            total: number;
        };
        /** @description A workspace as a ZIP file. Only the person who created it sees it, for a day. */
        TeamExportModel: {
            /**
             * Format: uuid
             * @description The export's id.
             */
            id: string;
            /**
             * Format: uuid
             * @description The workspace's id.
             */
            team_id: string;
            /**
             * @description How far it has come.
             * @enum {string}
             */
            state: "running" | "done" | "failed";
            /** @description Why it failed. */
            error: string | null;
            /**
             * Format: int32
             * @description How much of it is written, in percent.
             */
            progress: number;
            /**
             * Format: int32
             * @description The number of attached files that it contains, once it is known.
             */
            file_count: number;
            /**
             * Format: int64
             * @description Its size in bytes; while it is being made, of what is written.
             */
            size: number;
            /** @description The address of the ZIP file. It needs no access token, for use in `<a>`, and works for an hour, or until the caller's token ends. Null until the export can be downloaded. */
            download_url: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            modified: string;
            /**
             * Format: date-time
             * @description When it is deleted.
             */
            expires_at: string;
        };
        /** @description Changes to a workspace. Omitted fields keep their values, and null clears a field. */
        TeamMergePatch: {
            /** @description True if the workspace is in use. */
            is_active?: boolean | null;
            /** @description The workspace's name. */
            name?: string | null;
        };
        /** @description A workspace (team): a part of an organization. Its members can see and write its records. */
        TeamModel: {
            /** @description The workspace's name. */
            name: string;
            /**
             * Format: uuid
             * @description The workspace's id.
             */
            id: string;
            /** @description True if the workspace is in use. */
            is_active: boolean;
            /**
             * Format: date-time
             * @description When the workspace was last changed.
             */
            modified: string;
        };
        /** @description A page of a list. */
        TeamsPage: {
            /** @description The rows of the page. */
            teams: components["schemas"]["TeamModel"][];
            /**
             * Format: int32
             * @description The number of pages.
             */
            pages: number;
            /**
             * Format: int32
             * @description The page served, from 1.
             */
            page: number;
            /**
             * Format: int32
             * @description The number of rows on all pages.
             */
            total: number;
        };
        /** @description Changes to a document type. Omitted fields keep their values, and null clears a field. */
        UpdateCategoryInput: {
            /** @description The custom fields that its items have, in the order sent. */
            custom_fields?: components["schemas"]["CategoryCustomFieldInput"][] | null;
            /** @description True if the document type is in use. */
            is_active?: boolean | null;
            /** @description The document type's name, unique in its workspace. */
            name: string;
            /**
             * Format: uuid
             * @description The workspace the document type belongs to.
             */
            team_id?: string | null;
        };
        /** @description Changes to a contact type. Omitted fields keep their values, and null clears a field. */
        UpdateContactTypeInput: {
            /** @description True if the contact type is in use. */
            is_active?: boolean | null;
            /** @description The contact type's name, unique in the organization. */
            name?: string | null;
            /**
             * Format: uuid
             * @description The workspace the contact type belongs to.
             */
            team_id?: string | null;
        };
        /** @description Changes to an expiration item. Omitted fields keep their values, and null clears a field. */
        UpdateExpirationItemInput: {
            /** @description The user the item is assigned to. */
            assigned_to?: components["schemas"]["UserReference"] | null;
            /** @description The files attached to the item. */
            attachments?: components["schemas"]["AttachmentInput"][] | null;
            /** @description The item's document type. */
            category?: components["schemas"]["CategoryReference"] | null;
            /** @description The name of a document type. Used only if `category` names none. */
            category_name?: string | null;
            /**
             * Format: uuid
             * @description The item's main contact.
             */
            contact_id?: string | null;
            /** @description The contacts of the item, in the order sent. */
            contacts?: components["schemas"]["ContactReference"][] | null;
            /** @description Custom fields, in the order sent. */
            custom_fields?: components["schemas"]["CustomFieldInput"][] | null;
            /** @description Free text. */
            details?: string | null;
            /**
             * @description The day the item expires. Null only for an item filed from a scan without a date.
             * @example 2027-02-28
             */
            expiration_date: string;
            /** @description True if the item is in use. An item that is not in use is archived. */
            is_active?: boolean | null;
            /** @description True if the item's document is required but absent. */
            is_missing?: boolean | null;
            /** @description The locations of the item, in the order sent. */
            locations?: components["schemas"]["LocationReference"][] | null;
            /** @description The item's name. */
            name: string;
            /** @description The tags of the item, in the order sent. */
            tags?: components["schemas"]["TagReference"][] | null;
            /**
             * Format: uuid
             * @description The workspace the item belongs to.
             */
            team_id?: string | null;
            /** @description The local time at which reminders are sent, `HH:mm`. */
            time_of_day?: string | null;
        };
        /** @description Changes to a location. Omitted fields keep their values, and null clears a field. */
        UpdateLocationInput: {
            /** @description Custom fields, in the order sent. */
            custom_fields?: components["schemas"]["CustomFieldInput"][] | null;
            /** @description The location's name, unique under its parent in the organization. */
            name?: string | null;
            /**
             * Format: uuid
             * @description The location that contains this one.
             */
            parent_location_id?: string | null;
            /**
             * Format: uuid
             * @description The workspace the location belongs to.
             */
            team_id?: string | null;
        };
        /** @description Changes to a note. Omitted fields keep their values, and null clears a field. */
        UpdateNoteInput: {
            /** @description The note as HTML. Anything but plain formatting is removed. */
            body?: string | null;
            /** @description The note as plain text. If omitted, or if only the body changes, it is derived from the body. `@[Max Power](id)` mentions a user, who must see what the note is about and gets a mail, once for a note. */
            body_text?: string | null;
            /** @description The note's title. */
            name?: string | null;
            /** @description The records that the note is about, in the order sent and without duplicates. */
            relations?: components["schemas"]["NoteRelationInput"][] | null;
            /**
             * Format: uuid
             * @description The workspace the note belongs to.
             */
            team_id?: string | null;
        };
        /** @description Changes to a reminder policy. Omitted fields keep their values, and null clears a field. */
        UpdateReminderPolicyInput: {
            /** @description Whether contacts who are reminded may renew items, by a link in the mail. */
            contacts_may_renew?: boolean | null;
            /**
             * @description Whether reminders are sent on working days only. If so, those for other days are moved, but never closer to the
             *     date.
             */
            deliver_on?: ("any" | "working_days") | null;
            /** @description The policy's name, unique in its workspace. */
            name?: string | null;
            /** @description The steps of the policy, the earliest first. */
            steps?: components["schemas"]["ReminderStepInput"][] | null;
            /**
             * Format: uuid
             * @description The workspace the policy belongs to.
             */
            team_id?: string | null;
            /** @description The local time at which reminders are sent, `HH:mm`, for items without a time of their own. */
            time_of_day?: string | null;
        };
        /** @description Changes to a requirement. Omitted fields keep their values, and null clears a field. */
        UpdateRequirementInput: {
            /** @description True if an item without an expiration date counts. It never expires. */
            allow_no_date?: boolean | null;
            /** @description The ids of the document types, one of which is enough. At least one is needed. */
            any_of?: string[] | null;
            /** @description Which records of the kind must meet the requirement: a filter with the members that their list has, such as `{"locationId": "…"}`. Those about the caller (`hasNone`, `modifiedSince`) are not among them. If empty, all that are not archived. */
            applies?: Record<string, unknown> | null;
            /**
             * Format: int32
             * @description The number of days before a document expires from which the next one is asked for.
             */
            ask_days_before?: number | null;
            /**
             * Format: int32
             * @description The number of days after which whoever is asked gets the mail again.
             */
            ask_every_days?: number | null;
            /** @description Who is asked for a document by itself when it is missing or expires soon. Null if nobody is. */
            ask_to?: ("assignee" | "holder" | "main_contact") | null;
            /**
             * Format: int32
             * @description The number of days, from the day a record is created, for which the requirement may be unmet.
             */
            grace_days?: number | null;
            /** @description The kind of records that must meet the requirement. */
            holder_kind?: ("company" | "contact" | "location" | "vehicle") | null;
            /** @description True if the requirement is in use. */
            is_active?: boolean | null;
            /** @description The requirement's name. */
            name?: string | null;
            /** @description True if an item counts only with a file. */
            needs_file?: boolean | null;
            /**
             * Format: uuid
             * @description The workspace whose records must meet the requirement.
             */
            team_id?: string | null;
            /**
             * Format: int32
             * @description The number of days for which an item must be valid after the day that is asked about.
             */
            valid_days?: number | null;
        };
        /** @description Changes to a tag. Omitted fields keep their values, and null clears a field. */
        UpdateTagInput: {
            /** @description The tag's name, unique in its workspace. */
            name?: string | null;
            /**
             * Format: uuid
             * @description The workspace the tag belongs to.
             */
            team_id?: string | null;
        };
        /** @description Changes to a workspace. Omitted fields keep their values, and null clears a field. */
        UpdateTeamInput: {
            /** @description True if the workspace is in use. */
            is_active?: boolean | null;
            /** @description The workspace's name. */
            name?: string | null;
            /**
             * Format: int32
             * @description Number of days before the expiration date when the workspace's reminder policy begins.
             */
            reminder_days?: number | null;
            /** @description The IANA time zone that defines "today" for the status of items. */
            timezone?: string | null;
        };
        /** @description A message from an upload service that a file was stored, as received. */
        UploadModel: {
            /**
             * Format: uuid
             * @description The record's id.
             */
            id: string;
            /**
             * Format: int64
             * @description The sender's id of the notification.
             */
            notification_id: number | null;
            /** @description What happened to the file, in the sender's terms. */
            action: string | null;
            /**
             * Format: int64
             * @description The sender's time of the event.
             */
            timestamp: number | null;
            /** @description Storage container. */
            container: string | null;
            /** @description The URL of the file. */
            url: string | null;
            /** @description File name. */
            filename: string | null;
            /** @description The client that sent the file. */
            client: string | null;
            /** @description Storage key. */
            key: string | null;
            /** @description Media type. */
            type: string | null;
            /** @description The sender's status of the file. */
            status: string | null;
            /**
             * Format: int64
             * @description Size in bytes.
             */
            size: number | null;
            /** @description The file's tags as the sender wrote them. Numbers keep all their digits. */
            upload_Tags: unknown;
            /**
             * @description The state of the notification.
             * @enum {string}
             */
            state: "failed" | "filed" | "ignored" | "received";
            /** @description Why it could not be filed. */
            error: string | null;
            /**
             * Format: int32
             * @description The number of attempts in its queue: to file it, to read its text, or to recognize its pictures.
             */
            attempts: number;
            /**
             * Format: date-time
             * @description When it was received.
             */
            received_at: string;
            /**
             * Format: date-time
             * @description When it was filed.
             */
            filed_at: string | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            modified: string;
            /**
             * Format: date
             * @description The only expiration date that is suggested: found in the document, or in the file's name.
             */
            suggested_expiration_date: string | null;
            /** @description The text of the document around that date, or the file's name. */
            suggested_from: string | null;
            /** @description Details found in the document, to choose from. The most certain is first, and none is used unseen. */
            suggestions: components["schemas"]["UploadSuggestionModel"][];
            /** @description The code for why its document is not read, or not all of it. Null if it is, or if that is not needed. */
            unread_reason: ("damaged" | "empty" | "heic" | "interrupted" | "never_finished" | "no_file" | "no_words" | "pictures_off" | "protected" | "too_costly" | "too_large" | "too_many_dates" | "unsupported" | "waiting") | null;
            /** @description True until a person decides, if the item that it was filed under has no date, or another one than is suggested. */
            needs_review: boolean;
            /**
             * Format: uuid
             * @description The id of the item that it was filed under, if the caller may see it.
             */
            expiration_item_id: string | null;
            /**
             * Format: uuid
             * @description The id of the attachment that was created from it, if the caller may see it.
             */
            attachment_id: string | null;
        };
        /** @description A detail found in a document. */
        UploadSuggestionModel: {
            /**
             * @description Which detail it is.
             * @enum {string}
             */
            field: "contact" | "document_number" | "document_type" | "expiration_date" | "expiration_item" | "name" | "person" | "vehicle";
            /** @description The detail itself. */
            value: string;
            /** @description What the vehicle, person or item is called. Null for other details. */
            name: string | null;
            /**
             * Format: int32
             * @description How certain it is, from 0 to 100.
             */
            confidence: number;
            /**
             * @description Where it was found.
             * @enum {string}
             */
            source: "barcode" | "file_name" | "mrz" | "ocr" | "text" | "workspace";
            /**
             * Format: int32
             * @description The number of its page, from 1. Null if unknown.
             */
            page: number | null;
            /** @description Its place on the page. Null if unknown. */
            box: components["schemas"]["BoxModel"] | null;
            /** @description The words of the document around it, at most 120 characters. */
            words: string | null;
            /** @description A sentence that says why it is suggested. */
            reason: string;
        };
        /** @description The file of an upload notification. */
        UploadTextInput: {
            /** @description The client that sent the file. */
            client?: string | null;
            /** @description Storage container. */
            container?: string | null;
            /** @description File name. */
            filename?: string | null;
            /** @description Storage key. */
            key?: string | null;
            /**
             * Format: int64
             * @description Size in bytes.
             */
            size?: number | null;
            /** @description The sender's status of the file. */
            status?: string | null;
            /** @description Media type. */
            type?: string | null;
            /** @description Tags of the file: any JSON object. */
            upload_Tags?: Record<string, unknown> | null;
            /** @description The URL of the file. */
            url?: string | null;
        };
        /** @description A page of a list. */
        UploadsPage: {
            /** @description The rows of the page. */
            uploads: components["schemas"]["UploadModel"][];
            /**
             * Format: int32
             * @description The number of pages.
             */
            pages: number;
            /**
             * Format: int32
             * @description The page served, from 1.
             */
            page: number;
            /**
             * Format: int32
             * @description The number of rows on all pages.
             */
            total: number;
        };
        /** @description A person or service that uses the API in an organization. */
        UserModel: {
            /** @description The user's name. */
            name: string;
            /** @description The user's e-mail address, unique in the organization. */
            email: string;
            /**
             * Format: uuid
             * @description The user's id.
             */
            id: string;
            /**
             * Format: uuid
             * @description The user's default workspace, for new records that do not name one.
             */
            team_id: string;
        };
        /** @description A person or service that uses the API in an organization. */
        UserRecordModel: {
            /** @description The user's name. */
            name: string;
            /** @description The user's e-mail address, unique in the organization. */
            email: string;
            /**
             * Format: uuid
             * @description The user's id.
             */
            id: string;
            /**
             * Format: uuid
             * @description The user's default workspace, for new records that do not name one.
             */
            team_id: string;
            /** @description The user's own role: admin, member, viewer or uploader. If null, each token has its own role. */
            roles: string | null;
            /**
             * Format: int32
             * @description The role as a number: 1 admin, 2 member, 3 viewer, 4 uploader.
             */
            role_type_id: number | null;
        };
        /** @description A user of the organization. */
        UserReference: {
            /**
             * Format: uuid
             * @description The user's id. Null for nobody.
             */
            id?: string | null;
        };
        /** @description Changes to a vehicle. Omitted fields keep their values, and null clears a field. */
        VehicleMergePatch: {
            /** @description The user the vehicle is assigned to. */
            assigned_to?: components["schemas"]["UserReference"] | null;
            /**
             * Format: uuid
             * @description The contact the vehicle is assigned to.
             */
            assigned_to_contact_id?: string | null;
            /** @description Body type. */
            body_type?: string | null;
            /** @description Colour. */
            color?: string | null;
            /** @description Custom fields, in the order sent. */
            custom_fields?: components["schemas"]["CustomFieldInput"][] | null;
            /**
             * Format: uuid
             * @description Folder, as an id from the caller's own system. Stored as sent.
             */
            folder_id?: string | null;
            /** @description True if the vehicle is archived. */
            is_archived?: boolean | null;
            /** @description Licence plate. */
            license_plate?: string | null;
            /**
             * Format: uuid
             * @description The location of the vehicle.
             */
            location_id?: string | null;
            /** @description Manufacturer. */
            make?: string | null;
            /** @description Model. */
            model?: string | null;
            /**
             * Format: double
             * @description Manufacturer's suggested retail price.
             */
            msrp?: number | null;
            /** @description The vehicle's name. */
            name?: string | null;
            /**
             * Format: int32
             * @description Who owns the vehicle: 1 owned, 2 leased, 3 rented, 4 customer. Other values are stored as sent.
             */
            ownership_id?: number | null;
            /**
             * Format: int32
             * @description Reading of the primary meter.
             */
            primary_meter_reading?: number | null;
            /**
             * Format: int32
             * @description The unit of the primary meter: 1 km, 2 mi, 3 hr. Other values are stored as sent.
             */
            primary_meter_type_id?: number | null;
            /** @description Province or state of registration. */
            registration_province?: string | null;
            /**
             * Format: uuid
             * @description Status, as an id from the caller's own list. Stored as sent.
             */
            status_id?: string | null;
            /**
             * Format: uuid
             * @description The workspace the vehicle belongs to.
             */
            team_id?: string | null;
            /** @description Trim level. */
            trim?: string | null;
            /**
             * Format: uuid
             * @description Type, as an id from the caller's own list. Stored as sent.
             */
            type_id?: string | null;
            /**
             * Format: uuid
             * @description Fuel type, as an id from the caller's own list. Stored as sent.
             */
            vehicle_fuel_type_id?: string | null;
            /** @description Vehicle identification number, unique in the organization. */
            vin?: string | null;
            /**
             * Format: int32
             * @description Model year.
             */
            year?: number | null;
        };
        /** @description A vehicle with the data from its papers. */
        VehicleModel: {
            /**
             * Format: uuid
             * @description The vehicle's id.
             */
            id: string;
            /** @description The vehicle's name. */
            name: string | null;
            /** @description Vehicle identification number, unique in the organization. */
            vin: string | null;
            /** @description Licence plate. */
            license_plate: string | null;
            /**
             * Format: int32
             * @description Model year.
             */
            year: number | null;
            /** @description Manufacturer. */
            make: string | null;
            /** @description Model. */
            model: string | null;
            /** @description Trim level. */
            trim: string | null;
            /** @description Colour. */
            color: string | null;
            /** @description Body type. */
            body_type: string | null;
            /** @description Province or state of registration. */
            registration_province: string | null;
            /**
             * Format: double
             * @description Manufacturer's suggested retail price.
             */
            msrp: number | null;
            /**
             * Format: int32
             * @description The unit of the primary meter: 1 km, 2 mi, 3 hr. Other values are stored as sent.
             */
            primary_meter_type_id: number | null;
            /**
             * Format: int32
             * @description Reading of the primary meter.
             */
            primary_meter_reading: number | null;
            /**
             * Format: int32
             * @description Who owns the vehicle: 1 owned, 2 leased, 3 rented, 4 customer. Other values are stored as sent.
             */
            ownership_id: number | null;
            /**
             * Format: uuid
             * @description Status, as an id from the caller's own list. Stored as sent.
             */
            status_id: string | null;
            /**
             * Format: uuid
             * @description Folder, as an id from the caller's own system. Stored as sent.
             */
            folder_id: string | null;
            /**
             * Format: uuid
             * @description The location of the vehicle.
             */
            location_id: string | null;
            /**
             * Format: uuid
             * @description Type, as an id from the caller's own list. Stored as sent.
             */
            type_id: string | null;
            /**
             * Format: uuid
             * @description Fuel type, as an id from the caller's own list. Stored as sent.
             */
            vehicle_fuel_type_id: string | null;
            /**
             * Format: uuid
             * @description The contact the vehicle is assigned to.
             */
            assigned_to_contact_id: string | null;
            /** @description The user the vehicle is assigned to. */
            assigned_to: components["schemas"]["UserModel"] | null;
            /**
             * Format: uuid
             * @description The workspace the vehicle belongs to.
             */
            team_id: string;
            /** @description True if the vehicle is archived. */
            is_archived: boolean;
            /**
             * Format: date-time
             * @description When the vehicle was last changed.
             */
            modified: string;
            /** @description Custom fields, in the order sent. */
            custom_fields: components["schemas"]["CustomFieldModel"][];
        };
        /** @description A page of a list. */
        VehiclesPage: {
            /** @description The rows of the page. */
            vehicles: components["schemas"]["VehicleModel"][];
            /**
             * Format: int32
             * @description The number of pages.
             */
            pages: number;
            /**
             * Format: int32
             * @description The page served, from 1.
             */
            page: number;
            /**
             * Format: int32
             * @description The number of rows on all pages.
             */
            total: number;
        };
        /** @description A message about an event. */
        WebhookMessage: {
            /** @description The type of the message. */
            type: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            timestamp: string;
            /** @description What happened, and to which record. */
            data: {
                /**
                 * Format: uuid
                 * @description The id of the record.
                 */
                id: string | null;
                /** @description The kind of the record. */
                kind: string | null;
                /**
                 * Format: uuid
                 * @description The workspace of the event.
                 */
                workspace_id: string;
                /** @description The version of the record when the message was made, in base 36. A receiver should ignore versions older than the one it has. */
                version: string | null;
                /** @description The page of the record in the console. */
                link: string | null;
                /** @description What happened, in a sentence. */
                description: string;
                /** @description Who did it. */
                actor: {
                    /** @enum {string} */
                    type: "user" | "gateway";
                    /** Format: uuid */
                    id: string | null;
                    name: string | null;
                };
                /** @description Other records that the event is about. */
                related: {
                    kind: string;
                    /** Format: uuid */
                    id: string;
                }[];
                /** @description The changed fields. Without their values if the message would be too large. */
                changes: {
                    field: string;
                    before?: unknown;
                    after?: unknown;
                }[];
                /**
                 * @description True if the message would be too large.
                 * @constant
                 */
                truncated?: true;
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AcceptDocumentRequestInput = components['schemas']['AcceptDocumentRequestInput'];
export type AcknowledgementInput = components['schemas']['AcknowledgementInput'];
export type AcknowledgementModel = components['schemas']['AcknowledgementModel'];
export type AddUploadInput = components['schemas']['AddUploadInput'];
export type AttachToExpirationItemInput = components['schemas']['AttachToExpirationItemInput'];
export type AttachmentInput = components['schemas']['AttachmentInput'];
export type AttachmentModel = components['schemas']['AttachmentModel'];
export type AttachmentsPage = components['schemas']['AttachmentsPage'];
export type BoxModel = components['schemas']['BoxModel'];
export type CategoriesPage = components['schemas']['CategoriesPage'];
export type CategoryCustomFieldInput = components['schemas']['CategoryCustomFieldInput'];
export type CategoryCustomFieldModel = components['schemas']['CategoryCustomFieldModel'];
export type CategoryMergePatch = components['schemas']['CategoryMergePatch'];
export type CategoryModel = components['schemas']['CategoryModel'];
export type CategoryReference = components['schemas']['CategoryReference'];
export type CompaniesPage = components['schemas']['CompaniesPage'];
export type CompanyMergePatch = components['schemas']['CompanyMergePatch'];
export type CompanyModel = components['schemas']['CompanyModel'];
export type ComplianceModel = components['schemas']['ComplianceModel'];
export type CompliancesFilter = components['schemas']['CompliancesFilter'];
export type ConfirmUploadInput = components['schemas']['ConfirmUploadInput'];
export type ContactMergePatch = components['schemas']['ContactMergePatch'];
export type ContactModel = components['schemas']['ContactModel'];
export type ContactReference = components['schemas']['ContactReference'];
export type ContactType = components['schemas']['ContactType'];
export type ContactTypeMergePatch = components['schemas']['ContactTypeMergePatch'];
export type Contact_typesPage = components['schemas']['Contact_typesPage'];
export type ContactsPage = components['schemas']['ContactsPage'];
export type CreateCategoryInput = components['schemas']['CreateCategoryInput'];
export type CreateCompanyInput = components['schemas']['CreateCompanyInput'];
export type CreateContactInput = components['schemas']['CreateContactInput'];
export type CreateContactTypeInput = components['schemas']['CreateContactTypeInput'];
export type CreateDocumentRequestInput = components['schemas']['CreateDocumentRequestInput'];
export type CreateDocumentRequestsInput = components['schemas']['CreateDocumentRequestsInput'];
export type CreateExemptionInput = components['schemas']['CreateExemptionInput'];
export type CreateExpirationItemInput = components['schemas']['CreateExpirationItemInput'];
export type CreateLocationInput = components['schemas']['CreateLocationInput'];
export type CreateNoteInput = components['schemas']['CreateNoteInput'];
export type CreateReminderPolicyInput = components['schemas']['CreateReminderPolicyInput'];
export type CreateRequirementInput = components['schemas']['CreateRequirementInput'];
export type CreateTagInput = components['schemas']['CreateTagInput'];
export type CreateTeamInput = components['schemas']['CreateTeamInput'];
export type CreateVehicleInput = components['schemas']['CreateVehicleInput'];
export type CreatedDocumentRequestsModel = components['schemas']['CreatedDocumentRequestsModel'];
export type CustomFieldInput = components['schemas']['CustomFieldInput'];
export type CustomFieldModel = components['schemas']['CustomFieldModel'];
export type DateRange = components['schemas']['DateRange'];
export type DateTimeRange = components['schemas']['DateTimeRange'];
export type DeclineDocumentRequestInput = components['schemas']['DeclineDocumentRequestInput'];
export type DeliveriesPage = components['schemas']['DeliveriesPage'];
export type DeliveryModel = components['schemas']['DeliveryModel'];
export type DigestSettingInput = components['schemas']['DigestSettingInput'];
export type DigestSettingModel = components['schemas']['DigestSettingModel'];
export type DocumentRequestCountModel = components['schemas']['DocumentRequestCountModel'];
export type DocumentRequestGapsInput = components['schemas']['DocumentRequestGapsInput'];
export type DocumentRequestModel = components['schemas']['DocumentRequestModel'];
export type DocumentrequestsPage = components['schemas']['DocumentrequestsPage'];
export type EntityRelationModel = components['schemas']['EntityRelationModel'];
export type ErrorBody = components['schemas']['ErrorBody'];
export type EventLogModel = components['schemas']['EventLogModel'];
export type EventlogsPage = components['schemas']['EventlogsPage'];
export type ExemptionModel = components['schemas']['ExemptionModel'];
export type ExemptionsPage = components['schemas']['ExemptionsPage'];
export type ExpirationItem = components['schemas']['ExpirationItem'];
export type ExpirationItemAttachmentModel = components['schemas']['ExpirationItemAttachmentModel'];
export type ExpirationItemMergePatch = components['schemas']['ExpirationItemMergePatch'];
export type Expiration_itemsPage = components['schemas']['Expiration_itemsPage'];
export type HolderComplianceModel = components['schemas']['HolderComplianceModel'];
export type HolderModel = components['schemas']['HolderModel'];
export type HolderReference = components['schemas']['HolderReference'];
export type HoldersInput = components['schemas']['HoldersInput'];
export type HoldersPage = components['schemas']['HoldersPage'];
export type ImportAlongsideModel = components['schemas']['ImportAlongsideModel'];
export type ImportColumnModel = components['schemas']['ImportColumnModel'];
export type ImportDamagedColumnModel = components['schemas']['ImportDamagedColumnModel'];
export type ImportDateColumnModel = components['schemas']['ImportDateColumnModel'];
export type ImportDateExampleModel = components['schemas']['ImportDateExampleModel'];
export type ImportDateReadingModel = components['schemas']['ImportDateReadingModel'];
export type ImportKeptRecordModel = components['schemas']['ImportKeptRecordModel'];
export type ImportLeftOutModel = components['schemas']['ImportLeftOutModel'];
export type ImportListPreviewModel = components['schemas']['ImportListPreviewModel'];
export type ImportModel = components['schemas']['ImportModel'];
export type ImportPreviewModel = components['schemas']['ImportPreviewModel'];
export type ImportRowErrorModel = components['schemas']['ImportRowErrorModel'];
export type ImportRowModel = components['schemas']['ImportRowModel'];
export type ImportSheetModel = components['schemas']['ImportSheetModel'];
export type ImportUndoModel = components['schemas']['ImportUndoModel'];
export type ImportUnknownPersonModel = components['schemas']['ImportUnknownPersonModel'];
export type ImportWorkspaceModel = components['schemas']['ImportWorkspaceModel'];
export type ItemHoldersModel = components['schemas']['ItemHoldersModel'];
export type LocationMergePatch = components['schemas']['LocationMergePatch'];
export type LocationModel = components['schemas']['LocationModel'];
export type LocationReference = components['schemas']['LocationReference'];
export type LocationsPage = components['schemas']['LocationsPage'];
export type NoteMergePatch = components['schemas']['NoteMergePatch'];
export type NoteModel = components['schemas']['NoteModel'];
export type NoteRelationInput = components['schemas']['NoteRelationInput'];
export type NoteRelationModel = components['schemas']['NoteRelationModel'];
export type NotesPage = components['schemas']['NotesPage'];
export type NoticePeriodInput = components['schemas']['NoticePeriodInput'];
export type NoticePeriodModel = components['schemas']['NoticePeriodModel'];
export type NoticeRuleInput = components['schemas']['NoticeRuleInput'];
export type NoticeRuleModel = components['schemas']['NoticeRuleModel'];
export type PatchDocument = components['schemas']['PatchDocument'];
export type PatchOperation = components['schemas']['PatchOperation'];
export type Problem = components['schemas']['Problem'];
export type ReceiveUploadInput = components['schemas']['ReceiveUploadInput'];
export type RefusedDocumentRequestModel = components['schemas']['RefusedDocumentRequestModel'];
export type ReminderPolicyMergePatch = components['schemas']['ReminderPolicyMergePatch'];
export type ReminderPolicyModel = components['schemas']['ReminderPolicyModel'];
export type ReminderStepInput = components['schemas']['ReminderStepInput'];
export type ReminderStepModel = components['schemas']['ReminderStepModel'];
export type Reminder_policiesPage = components['schemas']['Reminder_policiesPage'];
export type RenewExpirationItemInput = components['schemas']['RenewExpirationItemInput'];
export type RenewalModel = components['schemas']['RenewalModel'];
export type RenewalsPage = components['schemas']['RenewalsPage'];
export type RepetitionInput = components['schemas']['RepetitionInput'];
export type RepetitionModel = components['schemas']['RepetitionModel'];
export type ReplaceCompanyInput = components['schemas']['ReplaceCompanyInput'];
export type ReplaceContactInput = components['schemas']['ReplaceContactInput'];
export type ReplaceVehicleInput = components['schemas']['ReplaceVehicleInput'];
export type RequirementMergePatch = components['schemas']['RequirementMergePatch'];
export type RequirementModel = components['schemas']['RequirementModel'];
export type RequirementsPage = components['schemas']['RequirementsPage'];
export type ResumableUploadModel = components['schemas']['ResumableUploadModel'];
export type SetExpirationItemContactsInput = components['schemas']['SetExpirationItemContactsInput'];
export type TagMergePatch = components['schemas']['TagMergePatch'];
export type TagModel = components['schemas']['TagModel'];
export type TagReference = components['schemas']['TagReference'];
export type TagsPage = components['schemas']['TagsPage'];
export type TeamExportModel = components['schemas']['TeamExportModel'];
export type TeamMergePatch = components['schemas']['TeamMergePatch'];
export type TeamModel = components['schemas']['TeamModel'];
export type TeamsPage = components['schemas']['TeamsPage'];
export type UpdateCategoryInput = components['schemas']['UpdateCategoryInput'];
export type UpdateContactTypeInput = components['schemas']['UpdateContactTypeInput'];
export type UpdateExpirationItemInput = components['schemas']['UpdateExpirationItemInput'];
export type UpdateLocationInput = components['schemas']['UpdateLocationInput'];
export type UpdateNoteInput = components['schemas']['UpdateNoteInput'];
export type UpdateReminderPolicyInput = components['schemas']['UpdateReminderPolicyInput'];
export type UpdateRequirementInput = components['schemas']['UpdateRequirementInput'];
export type UpdateTagInput = components['schemas']['UpdateTagInput'];
export type UpdateTeamInput = components['schemas']['UpdateTeamInput'];
export type UploadModel = components['schemas']['UploadModel'];
export type UploadSuggestionModel = components['schemas']['UploadSuggestionModel'];
export type UploadTextInput = components['schemas']['UploadTextInput'];
export type UploadsPage = components['schemas']['UploadsPage'];
export type UserModel = components['schemas']['UserModel'];
export type UserRecordModel = components['schemas']['UserRecordModel'];
export type UserReference = components['schemas']['UserReference'];
export type VehicleMergePatch = components['schemas']['VehicleMergePatch'];
export type VehicleModel = components['schemas']['VehicleModel'];
export type VehiclesPage = components['schemas']['VehiclesPage'];
export type WebhookMessage = components['schemas']['WebhookMessage'];
export type $defs = Record<string, never>;
export interface operations {
    acknowledgement: {
        parameters: {
            query?: {
                /** @description The date of the item that was acknowledged. Default: the expiration date. */
                about?: "expiration" | "notice";
            };
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example cc47e65c-51b2-50a7-8f95-c38c1993c782
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcknowledgementModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    setAcknowledgement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example cc47e65c-51b2-50a7-8f95-c38c1993c782
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcknowledgementInput"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcknowledgementModel"];
                };
            };
        };
    };
    deleteAcknowledgement: {
        parameters: {
            query?: {
                /** @description The date of the item that was acknowledged. Default: the expiration date. */
                about?: "expiration" | "notice";
            };
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 263f5039-1780-5279-9aaf-71767e89c76d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record as it was. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcknowledgementModel"];
                };
            };
        };
    };
    attachments: {
        parameters: {
            query?: {
                /** @description Part of the file name, ignoring case. */
                term?: string;
                /** @description The page number, starting at 1. -1 means the first page, as if omitted. */
                page?: number;
                /** @description True to include the bytes of files. Otherwise the `content` of attachments is null. A page with files has at most 25 rows, regardless of `paging`, and 32 MiB of files. Beyond that, `content` is null; read the attachment by its id to get it. */
                includeFileContent?: boolean;
                /** @description The member to sort by, ignoring case. Default: `created`, smallest first. */
                sort?: "" | "id" | "name" | "content_type" | "created";
                /** @description The direction of `sort`, ignoring case. */
                sortDirection?: "asc" | "desc";
                /** @description The number of rows per page. */
                paging?: number;
                /** @description The cursor to continue from, instead of `page`. Take it from the `Link` of the previous page, or leave it empty to begin. */
                cursor?: string;
                /** @description Only records changed at or after this time. For records that never change, it means created. */
                modifiedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttachmentsPage"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    attachment: {
        parameters: {
            query?: {
                /** @description True to include the bytes of files. Otherwise the `content` of attachments is null. */
                includeFileContent?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example b9b784ed-f554-5b5f-ad1d-ec3395a3c00a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttachmentModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    searchAttachments: {
        parameters: {
            query?: {
                /** @description Part of the file name, ignoring case. */
                term?: string;
                /** @description The page number, starting at 1. -1 means the first page, as if omitted. */
                page?: number;
                /** @description True to include the bytes of files. Otherwise the `content` of attachments is null. A page with files has at most 25 rows, regardless of `paging`, and 32 MiB of files. Beyond that, `content` is null; read the attachment by its id to get it. */
                includeFileContent?: boolean;
                /** @description The member to sort by, ignoring case. Default: `created`, smallest first. */
                sort?: "" | "id" | "name" | "content_type" | "created";
                /** @description The direction of `sort`, ignoring case. */
                sortDirection?: "asc" | "desc";
                /** @description The cursor to continue from, instead of `page`. Take it from the `Link` of the previous page, or leave it empty to begin. */
                cursor?: string;
                /** @description Only records changed at or after this time. For records that never change, it means created. */
                modifiedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttachmentsPage"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    categories: {
        parameters: {
            query?: {
                /** @description Part of the name, ignoring case. */
                term?: string;
                /** @description The page number, starting at 1. -1 means the first page, as if omitted. */
                page?: number;
                /** @description The number of rows per page. */
                paging?: number;
                /** @description The member to sort by, ignoring case. Default: `name`, smallest first. */
                sort?: "" | "name" | "id" | "modified" | "is_active" | "team_id";
                /** @description The direction of `sort`, ignoring case. */
                sortDirection?: "asc" | "desc";
                /** @description The cursor to continue from, instead of `page`. Take it from the `Link` of the previous page, or leave it empty to begin. */
                cursor?: string;
                /** @description Only records changed at or after this time. For records that never change, it means created. */
                modifiedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CategoriesPage"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createCategory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCategoryInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CategoryModel"];
                };
            };
        };
    };
    category: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 84773064-574d-5300-8953-41bb2450fbcd
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CategoryModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 84773064-574d-5300-8953-41bb2450fbcd
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCategoryInput"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CategoryModel"];
                };
            };
        };
    };
    deleteCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example dff3a593-a7ef-5b41-8051-51b11a08c2f0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record as it was. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CategoryModel"];
                };
            };
        };
    };
    patchCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 84773064-574d-5300-8953-41bb2450fbcd
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchDocument"];
                "application/json-patch+json": components["schemas"]["PatchDocument"];
                "application/merge-patch+json": components["schemas"]["CategoryMergePatch"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CategoryModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    companies: {
        parameters: {
            query?: {
                /** @description Part of the name, trading name, tax number, telephone number or city, ignoring case. Values of custom fields are searched, too. */
                term?: string;
                /** @description The page number, starting at 1. -1 means the first page, as if omitted. */
                page?: number;
                /** @description The member to sort by, ignoring case. Default: `name`, smallest first. */
                sort?: "" | "id" | "name" | "doing_business_as" | "phone" | "website" | "address_line_1" | "address_line_2" | "city" | "province" | "postal_code" | "country_id" | "tax_id" | "tax_type_id" | "type_id" | "primary_contact_id" | "team_id" | "is_archived" | "modified";
                /** @description The direction of `sort`, ignoring case. */
                sortDirection?: "asc" | "desc";
                /** @description The number of rows per page. */
                paging?: number;
                /** @description The cursor to continue from, instead of `page`. Take it from the `Link` of the previous page, or leave it empty to begin. */
                cursor?: string;
                /** @description Only records changed at or after this time. For records that never change, it means created. */
                modifiedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompaniesPage"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createCompany: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCompanyInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyModel"];
                };
            };
        };
    };
    company: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example bc1c4988-7447-5c0e-8be2-eed7ab020134
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    replaceCompany: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example bc1c4988-7447-5c0e-8be2-eed7ab020134
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplaceCompanyInput"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyModel"];
                };
            };
        };
    };
    deleteCompany: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 9b8e3af7-ede4-591a-be65-e9f29c04d425
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record as it was. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyModel"];
                };
            };
        };
    };
    patchCompany: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example bc1c4988-7447-5c0e-8be2-eed7ab020134
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchDocument"];
                "application/json-patch+json": components["schemas"]["PatchDocument"];
                "application/merge-patch+json": components["schemas"]["CompanyMergePatch"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    compliances: {
        parameters: {
            query?: {
                /** @description Part of the name, ignoring case. */
                term?: string;
                /** @description Only holders in this state, ignoring case. */
                state?: "" | "non_compliant" | "due" | "compliant" | "not_required";
                /** @description The page number, starting at 1. -1 means the first page, as if omitted. */
                page?: number;
                /** @description The member to sort by, ignoring case. Default: `worst`, smallest first. */
                sort?: "" | "worst" | "id" | "name" | "until";
                /** @description The direction of `sort`, ignoring case. */
                sortDirection?: "asc" | "desc";
                /** @description Only records of this kind, ignoring case. */
                kind?: "" | "vehicle" | "contact" | "company" | "location";
                /** @description Only records that do not meet one of these requirements, by their ids, which commas separate. */
                requirement_ids?: string;
                /** @description Only records that are non-compliant, or will be in this many days, in the time zone of their workspace. */
                within?: number;
                /** @description Only holders at this location, by its id. If empty, all holders. */
                location_id?: string;
                /** @description Only holders in this workspace, by its id. If empty, all holders. */
                team_id?: string;
                /** @description The number of rows per page. */
                paging?: number;
                /** @description The cursor to continue from, instead of `page`. Take it from the `Link` of the previous page, or leave it empty to begin. */
                cursor?: string;
                /** @description Only records changed at or after this time. For records that never change, it means created. */
                modifiedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HoldersPage"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    contactTypes: {
        parameters: {
            query?: {
                /** @description Part of the name, ignoring case. */
                term?: string;
                /** @description The page number, starting at 1. -1 means the first page, as if omitted. */
                page?: number;
                /** @description The member to sort by, ignoring case. Default: `name`, smallest first. */
                sort?: "" | "name" | "id" | "is_active" | "modified";
                /** @description The direction of `sort`, ignoring case. */
                sortDirection?: "asc" | "desc";
                /** @description The number of rows per page. */
                paging?: number;
                /** @description The cursor to continue from, instead of `page`. Take it from the `Link` of the previous page, or leave it empty to begin. */
                cursor?: string;
                /** @description Only records changed at or after this time. For records that never change, it means created. */
                modifiedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact_typesPage"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createContactType: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateContactTypeInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactType"];
                };
            };
        };
    };
    contactType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 29f06e0f-0d40-55b3-afb8-63a8c9d4458b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactType"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateContactType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 29f06e0f-0d40-55b3-afb8-63a8c9d4458b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateContactTypeInput"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactType"];
                };
            };
        };
    };
    deleteContactType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 543b3080-d357-59ff-9fde-78ab43f1448a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record as it was. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactType"];
                };
            };
        };
    };
    patchContactType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 29f06e0f-0d40-55b3-afb8-63a8c9d4458b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchDocument"];
                "application/json-patch+json": components["schemas"]["PatchDocument"];
                "application/merge-patch+json": components["schemas"]["ContactTypeMergePatch"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactType"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    contacts: {
        parameters: {
            query?: {
                /** @description Part of the name, e-mail address, a telephone number or the caller's own id, ignoring case. Values of custom fields are searched, too. */
                term?: string;
                /** @description The complete e-mail address, ignoring case. */
                email?: string;
                /** @description The page number, starting at 1. -1 means the first page, as if omitted. */
                page?: number;
                /** @description The number of rows per page. */
                paging?: number;
                /** @description The member to sort by, ignoring case. Default: `name`, smallest first. */
                sort?: "" | "name" | "id" | "email" | "timezone" | "mobile" | "phone" | "type_id" | "contact_id" | "location_id" | "team_id" | "is_active" | "modified";
                /** @description The direction of `sort`, ignoring case. */
                sortDirection?: "asc" | "desc";
                /** @description The cursor to continue from, instead of `page`. Take it from the `Link` of the previous page, or leave it empty to begin. */
                cursor?: string;
                /** @description Only records changed at or after this time. For records that never change, it means created. */
                modifiedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactsPage"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createContact: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateContactInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactModel"];
                };
            };
        };
    };
    contact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 2eed10f5-5db1-5f6b-a27a-035009deb775
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    replaceContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 2eed10f5-5db1-5f6b-a27a-035009deb775
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplaceContactInput"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactModel"];
                };
            };
        };
    };
    deleteContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example e335d9c5-cb22-575e-a98c-2baa009f30e7
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record as it was. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactModel"];
                };
            };
        };
    };
    patchContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 2eed10f5-5db1-5f6b-a27a-035009deb775
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchDocument"];
                "application/json-patch+json": components["schemas"]["PatchDocument"];
                "application/merge-patch+json": components["schemas"]["ContactMergePatch"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deliveries: {
        parameters: {
            query?: {
                /** @description Part of the address, ignoring case. */
                term?: string;
                /** @description Only deliveries in this state, ignoring case. */
                state?: "" | "queued" | "sent" | "failed" | "suppressed" | "cancelled";
                /** @description The page number, starting at 1. -1 means the first page, as if omitted. */
                page?: number;
                /** @description The member to sort by, ignoring case. Default: `created`, largest first regardless of `sortDirection`. */
                sort?: "" | "id" | "address" | "attempts" | "due_at" | "settled_at" | "created" | "modified";
                /** @description The direction of `sort`, ignoring case. */
                sortDirection?: "asc" | "desc";
                /** @description The number of rows per page. */
                paging?: number;
                /** @description The cursor to continue from, instead of `page`. Take it from the `Link` of the previous page, or leave it empty to begin. */
                cursor?: string;
                /** @description Only records changed at or after this time. For records that never change, it means created. */
                modifiedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveriesPage"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    delivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example f389824b-af42-53b6-b89a-08ab3d7f265e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    retryDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example d4d0e342-d8e9-5eaa-9681-fbf1a88b6700
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryModel"];
                };
            };
        };
    };
    documentRequests: {
        parameters: {
            query?: {
                /** @description Part of the address, the message or the answer, ignoring case. */
                term?: string;
                /** @description Only documentrequests in this state, ignoring case. */
                state?: "" | "open" | "sent" | "opened" | "received" | "accepted" | "cancelled" | "lapsed";
                /** @description The page number, starting at 1. -1 means the first page, as if omitted. */
                page?: number;
                /** @description The member to sort by, ignoring case. Default: `created`, largest first regardless of `sortDirection`. */
                sort?: "" | "id" | "due_on" | "received_at" | "created";
                /** @description The direction of `sort`, ignoring case. */
                sortDirection?: "asc" | "desc";
                /** @description Only requests about this item, by its id. If empty, all requests. */
                item_id?: string;
                /** @description Only requests for documents of this type, by its id. If empty, all requests. */
                category_id?: string;
                /** @description Only requests for documents of this vehicle, person, company or location, by its id. If empty, all requests. */
                holder_id?: string;
                /** @description Only requests to this contact, by its id. If empty, all requests. */
                recipient_id?: string;
                /** @description Only requests in this workspace, by its id. If empty, all requests. */
                team_id?: string;
                /** @description The number of rows per page. */
                paging?: number;
                /** @description The cursor to continue from, instead of `page`. Take it from the `Link` of the previous page, or leave it empty to begin. */
                cursor?: string;
                /** @description Only records changed at or after this time. For records that never change, it means created. */
                modifiedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentrequestsPage"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createDocumentRequest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDocumentRequestInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentRequestModel"];
                };
            };
        };
    };
    documentRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 283d805e-2ecb-5464-b8cb-c54130721ad8
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentRequestModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    acceptDocumentRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example c20e2f37-d6e2-5ac9-90f3-8906b48683e2
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptDocumentRequestInput"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentRequestModel"];
                };
            };
        };
    };
    declineDocumentRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example bac83f1d-ec35-5dd2-84ad-2281ae8f0542
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeclineDocumentRequestInput"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentRequestModel"];
                };
            };
        };
    };
    resendDocumentRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 283d805e-2ecb-5464-b8cb-c54130721ad8
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentRequestModel"];
                };
            };
        };
    };
    cancelDocumentRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 283d805e-2ecb-5464-b8cb-c54130721ad8
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentRequestModel"];
                };
            };
        };
    };
    eventLog: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example ce18280b-c544-594c-8b07-0c5b2d9666ae
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventLogModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    eventLogs: {
        parameters: {
            query?: {
                /** @description Part of the description, the details or the user's name, ignoring case. */
                term?: string;
                /** @description The kind of event: 1 created, 2 updated, 3 renewed, 4 deleted, 5 archived, 6 restored, 7 reminder sent, 8 reminder failed, 9 acknowledged, 10 scan received, 11 scan filed, 12 scan failed, 13 token created, 14 token revoked, 15 expired, 16 became due, 17 auto renewed, 18 webhook disabled, 19 user invited, 20 user changed, 21 user deactivated, 22 member added, 23 member removed, 24 organization changed, 25 token changed, 26 signed in, 27 sign-in failed, 28 sign-in changed, 29 signed out, 30 imported, 31 person erased, 32 exempted, 33 exemption ended, 34 compliance changed, 35 request sent, 36 request received, 37 request accepted, 38 request declined, 39 request cancelled, 40 request lapsed, 41 compliance link created, 42 compliance link revoked, 43 request opened, 44 request resent. Its number, or its name in any letter case. */
                type?: string;
                /** @description The page number, starting at 1. -1 means the first page, as if omitted. */
                page?: number;
                /** @description The member to sort by, ignoring case. Default: `created`, largest first regardless of `sortDirection`. */
                sort?: "" | "description" | "details" | "created" | "id" | "type_id";
                /** @description The direction of `sort`, ignoring case. */
                sortDirection?: "asc" | "desc";
                /** @description The number of rows per page. */
                paging?: number;
                /** @description The cursor to continue from, instead of `page`. Take it from the `Link` of the previous page, or leave it empty to begin. */
                cursor?: string;
                /** @description Only records changed at or after this time. For records that never change, it means created. */
                modifiedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventlogsPage"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    exemptions: {
        parameters: {
            query?: {
                /** @description Part of the reason, ignoring case. */
                term?: string;
                /** @description The page number, starting at 1. -1 means the first page, as if omitted. */
                page?: number;
                /** @description The member to sort by, ignoring case. Default: `created`, largest first regardless of `sortDirection`. */
                sort?: "" | "id" | "from" | "until" | "created";
                /** @description The direction of `sort`, ignoring case. */
                sortDirection?: "asc" | "desc";
                /** @description Only exemptions from one of these requirements, by their ids, which commas separate. */
                requirement_ids?: string;
                /** @description Only exemptions of this vehicle, person, company or location, by its id. If empty, all exemptions. */
                holder_id?: string;
                /** @description Only exemptions in this workspace, by its id. If empty, all exemptions. */
                team_id?: string;
                /** @description The number of rows per page. */
                paging?: number;
                /** @description The cursor to continue from, instead of `page`. Take it from the `Link` of the previous page, or leave it empty to begin. */
                cursor?: string;
                /** @description Only records changed at or after this time. For records that never change, it means created. */
                modifiedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExemptionsPage"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createExemption: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateExemptionInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExemptionModel"];
                };
            };
        };
    };
    exemption: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example aed61086-f93a-52c3-a683-dcde7d5d6aa8
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExemptionModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    endExemption: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example aed61086-f93a-52c3-a683-dcde7d5d6aa8
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExemptionModel"];
                };
            };
        };
    };
    expirationItems: {
        parameters: {
            query?: {
                /** @description Part of the name or the details, ignoring case. A licence plate or number in the name is found however it is divided. Values of custom fields are searched, too. */
                term?: string;
                /** @description Only items with this status today, in the time zone of their workspace. Case is ignored. */
                status?: "" | "current" | "notifying" | "expired" | "archived" | "nodate" | "missing";
                /** @description Only items that expire today or within this many days, in the time zone of their workspace. Items without a date are excluded. 0 or less returns all items. */
                expiresWithinDays?: number;
                /** @description The page number, starting at 1. -1 means the first page, as if omitted. */
                page?: number;
                /** @description The number of rows per page. */
                paging?: number;
                /** @description The member to sort by, ignoring case. Default: `expiration_date`, smallest first. */
                sort?: "" | "id" | "name" | "expiration_date" | "time_of_day" | "modified" | "is_active" | "team_id" | "contact_id";
                /** @description The direction of `sort`, ignoring case. */
                sortDirection?: "asc" | "desc";
                /** @description Only items with this contact, either as the main one or as one of several, by its id. If empty, all items. */
                contact_id?: string;
                /** @description Only items of this document type, by its id. If empty, all items. */
                category_id?: string;
                /** @description Only items in this workspace, by its id. If empty, all items. */
                team_id?: string;
                /** @description The cursor to continue from, instead of `page`. Take it from the `Link` of the previous page, or leave it empty to begin. */
                cursor?: string;
                /** @description Only records changed at or after this time. For records that never change, it means created. */
                modifiedSince?: string;
                /** @description True to include the bytes of files. Otherwise the `content` of attachments is null. A page with files has at most 25 rows, regardless of `paging`, and 32 MiB of files. Beyond that, `content` is null; read the attachment by its id to get it. */
                includeFileContent?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Expiration_itemsPage"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createExpirationItem: {
        parameters: {
            query?: {
                /** @description True to include the bytes of files. Otherwise the `content` of attachments is null. */
                includeFileContent?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateExpirationItemInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExpirationItem"];
                };
            };
        };
    };
    expirationItem: {
        parameters: {
            query?: {
                /** @description True to include the bytes of files. Otherwise the `content` of attachments is null. */
                includeFileContent?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 9084432e-cda1-51c2-8e99-eb0d63fe94c8
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExpirationItem"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateExpirationItem: {
        parameters: {
            query?: {
                /** @description True to include the bytes of files. Otherwise the `content` of attachments is null. */
                includeFileContent?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 9084432e-cda1-51c2-8e99-eb0d63fe94c8
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateExpirationItemInput"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExpirationItem"];
                };
            };
        };
    };
    deleteExpirationItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example ac51b440-ee60-51a1-885b-6166450c8947
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record as it was. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExpirationItem"];
                };
            };
        };
    };
    patchExpirationItem: {
        parameters: {
            query?: {
                /** @description True to include the bytes of files. Otherwise the `content` of attachments is null. */
                includeFileContent?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 9084432e-cda1-51c2-8e99-eb0d63fe94c8
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchDocument"];
                "application/json-patch+json": components["schemas"]["PatchDocument"];
                "application/merge-patch+json": components["schemas"]["ExpirationItemMergePatch"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExpirationItem"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    renewExpirationItem: {
        parameters: {
            query?: {
                /** @description True to include the bytes of files. Otherwise the `content` of attachments is null. */
                includeFileContent?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 9084432e-cda1-51c2-8e99-eb0d63fe94c8
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenewExpirationItemInput"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExpirationItem"];
                };
            };
        };
    };
    renewExpirationItemByPost: {
        parameters: {
            query?: {
                /** @description True to include the bytes of files. Otherwise the `content` of attachments is null. */
                includeFileContent?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 9084432e-cda1-51c2-8e99-eb0d63fe94c8
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenewExpirationItemInput"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExpirationItem"];
                };
            };
        };
    };
    attachToExpirationItem: {
        parameters: {
            query?: {
                /** @description True to include the bytes of files. Otherwise the `content` of attachments is null. */
                includeFileContent?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 9084432e-cda1-51c2-8e99-eb0d63fe94c8
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AttachToExpirationItemInput"] | {
                    attachment: components["schemas"]["AttachToExpirationItemInput"];
                };
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExpirationItem"];
                };
            };
        };
    };
    setExpirationItemContacts: {
        parameters: {
            query?: {
                /** @description True to include the bytes of files. Otherwise the `content` of attachments is null. */
                includeFileContent?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 9084432e-cda1-51c2-8e99-eb0d63fe94c8
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetExpirationItemContactsInput"] | components["schemas"]["ContactReference"][];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExpirationItem"];
                };
            };
        };
    };
    noticePeriod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 17820329-a1d8-50aa-966c-c503d58b7293
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoticePeriodModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    setNoticePeriod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 17820329-a1d8-50aa-966c-c503d58b7293
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoticePeriodInput"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoticePeriodModel"];
                };
            };
        };
    };
    deleteNoticePeriod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example cf28b054-510f-55a9-b32f-11aeec6f5aab
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record as it was. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoticePeriodModel"];
                };
            };
        };
    };
    repetition: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 17820329-a1d8-50aa-966c-c503d58b7293
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepetitionModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    setRepetition: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 17820329-a1d8-50aa-966c-c503d58b7293
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RepetitionInput"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepetitionModel"];
                };
            };
        };
    };
    deleteRepetition: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example cf28b054-510f-55a9-b32f-11aeec6f5aab
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record as it was. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepetitionModel"];
                };
            };
        };
    };
    itemHolders: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example f82c2f24-603c-56d9-8375-9c0f0a031c44
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemHoldersModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    setHolders: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example f82c2f24-603c-56d9-8375-9c0f0a031c44
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HoldersInput"] | components["schemas"]["HolderReference"][];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemHoldersModel"];
                };
            };
        };
    };
    addHolders: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example f82c2f24-603c-56d9-8375-9c0f0a031c44
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HoldersInput"] | components["schemas"]["HolderReference"][];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemHoldersModel"];
                };
            };
        };
    };
    removeHolder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example c500c13d-d864-55f3-8a1a-656417ab30db
                 */
                id: string;
                /**
                 * @description The id of the record that belongs to it. Anything but a UUID matches none.
                 * @example 491caccd-485a-5049-856a-61fa24bf6d19
                 */
                holderId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemHoldersModel"];
                };
            };
        };
    };
    expirationItemsOfVehicle: {
        parameters: {
            query?: {
                /** @description The page number, starting at 1. -1 means the first page, as if omitted. */
                page?: number;
                /** @description The member to sort by, ignoring case. Default: `expiration_date`, smallest first. */
                sort?: "" | "id" | "name" | "expiration_date" | "time_of_day" | "modified" | "is_active" | "team_id" | "contact_id";
                /** @description The direction of `sort`, ignoring case. */
                sortDirection?: "asc" | "desc";
                /** @description Part of the name or the details, ignoring case. A licence plate or number in the name is found however it is divided. Values of custom fields are searched, too. */
                term?: string;
                /** @description The number of rows per page. */
                paging?: number;
                /** @description The cursor to continue from, instead of `page`. Take it from the `Link` of the previous page, or leave it empty to begin. */
                cursor?: string;
                /** @description Only records changed at or after this time. For records that never change, it means created. */
                modifiedSince?: string;
                /** @description True to include the bytes of files. Otherwise the `content` of attachments is null. A page with files has at most 25 rows, regardless of `paging`, and 32 MiB of files. Beyond that, `content` is null; read the attachment by its id to get it. */
                includeFileContent?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 491caccd-485a-5049-856a-61fa24bf6d19
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Expiration_itemsPage"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    expirationItemsOfCompany: {
        parameters: {
            query?: {
                /** @description The page number, starting at 1. -1 means the first page, as if omitted. */
                page?: number;
                /** @description The member to sort by, ignoring case. Default: `expiration_date`, smallest first. */
                sort?: "" | "id" | "name" | "expiration_date" | "time_of_day" | "modified" | "is_active" | "team_id" | "contact_id";
                /** @description The direction of `sort`, ignoring case. */
                sortDirection?: "asc" | "desc";
                /** @description Part of the name or the details, ignoring case. A licence plate or number in the name is found however it is divided. Values of custom fields are searched, too. */
                term?: string;
                /** @description The number of rows per page. */
                paging?: number;
                /** @description The cursor to continue from, instead of `page`. Take it from the `Link` of the previous page, or leave it empty to begin. */
                cursor?: string;
                /** @description Only records changed at or after this time. For records that never change, it means created. */
                modifiedSince?: string;
                /** @description True to include the bytes of files. Otherwise the `content` of attachments is null. A page with files has at most 25 rows, regardless of `paging`, and 32 MiB of files. Beyond that, `content` is null; read the attachment by its id to get it. */
                includeFileContent?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example faa53e73-0400-529c-88ff-b33f72af6391
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Expiration_itemsPage"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    expirationItemsHeldByVehicle: {
        parameters: {
            query?: {
                /** @description The page number, starting at 1. -1 means the first page, as if omitted. */
                page?: number;
                /** @description The member to sort by, ignoring case. Default: `expiration_date`, smallest first. */
                sort?: "" | "id" | "name" | "expiration_date" | "time_of_day" | "modified" | "is_active" | "team_id" | "contact_id";
                /** @description The direction of `sort`, ignoring case. */
                sortDirection?: "asc" | "desc";
                /** @description Part of the name or the details, ignoring case. A licence plate or number in the name is found however it is divided. Values of custom fields are searched, too. */
                term?: string;
                /** @description The number of rows per page. */
                paging?: number;
                /** @description The cursor to continue from, instead of `page`. Take it from the `Link` of the previous page, or leave it empty to begin. */
                cursor?: string;
                /** @description Only records changed at or after this time. For records that never change, it means created. */
                modifiedSince?: string;
                /** @description True to include the bytes of files. Otherwise the `content` of attachments is null. A page with files has at most 25 rows, regardless of `paging`, and 32 MiB of files. Beyond that, `content` is null; read the attachment by its id to get it. */
                includeFileContent?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 491caccd-485a-5049-856a-61fa24bf6d19
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Expiration_itemsPage"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    expirationItemsHeldByContact: {
        parameters: {
            query?: {
                /** @description The page number, starting at 1. -1 means the first page, as if omitted. */
                page?: number;
                /** @description The member to sort by, ignoring case. Default: `expiration_date`, smallest first. */
                sort?: "" | "id" | "name" | "expiration_date" | "time_of_day" | "modified" | "is_active" | "team_id" | "contact_id";
                /** @description The direction of `sort`, ignoring case. */
                sortDirection?: "asc" | "desc";
                /** @description Part of the name or the details, ignoring case. A licence plate or number in the name is found however it is divided. Values of custom fields are searched, too. */
                term?: string;
                /** @description The number of rows per page. */
                paging?: number;
                /** @description The cursor to continue from, instead of `page`. Take it from the `Link` of the previous page, or leave it empty to begin. */
                cursor?: string;
                /** @description Only records changed at or after this time. For records that never change, it means created. */
                modifiedSince?: string;
                /** @description True to include the bytes of files. Otherwise the `content` of attachments is null. A page with files has at most 25 rows, regardless of `paging`, and 32 MiB of files. Beyond that, `content` is null; read the attachment by its id to get it. */
                includeFileContent?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 3f515e85-b498-56ba-89e3-3448daa86ad5
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Expiration_itemsPage"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    expirationItemsHeldByCompany: {
        parameters: {
            query?: {
                /** @description The page number, starting at 1. -1 means the first page, as if omitted. */
                page?: number;
                /** @description The member to sort by, ignoring case. Default: `expiration_date`, smallest first. */
                sort?: "" | "id" | "name" | "expiration_date" | "time_of_day" | "modified" | "is_active" | "team_id" | "contact_id";
                /** @description The direction of `sort`, ignoring case. */
                sortDirection?: "asc" | "desc";
                /** @description Part of the name or the details, ignoring case. A licence plate or number in the name is found however it is divided. Values of custom fields are searched, too. */
                term?: string;
                /** @description The number of rows per page. */
                paging?: number;
                /** @description The cursor to continue from, instead of `page`. Take it from the `Link` of the previous page, or leave it empty to begin. */
                cursor?: string;
                /** @description Only records changed at or after this time. For records that never change, it means created. */
                modifiedSince?: string;
                /** @description True to include the bytes of files. Otherwise the `content` of attachments is null. A page with files has at most 25 rows, regardless of `paging`, and 32 MiB of files. Beyond that, `content` is null; read the attachment by its id to get it. */
                includeFileContent?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example faa53e73-0400-529c-88ff-b33f72af6391
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Expiration_itemsPage"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    expirationItemsHeldByLocation: {
        parameters: {
            query?: {
                /** @description The page number, starting at 1. -1 means the first page, as if omitted. */
                page?: number;
                /** @description The member to sort by, ignoring case. Default: `expiration_date`, smallest first. */
                sort?: "" | "id" | "name" | "expiration_date" | "time_of_day" | "modified" | "is_active" | "team_id" | "contact_id";
                /** @description The direction of `sort`, ignoring case. */
                sortDirection?: "asc" | "desc";
                /** @description Part of the name or the details, ignoring case. A licence plate or number in the name is found however it is divided. Values of custom fields are searched, too. */
                term?: string;
                /** @description The number of rows per page. */
                paging?: number;
                /** @description The cursor to continue from, instead of `page`. Take it from the `Link` of the previous page, or leave it empty to begin. */
                cursor?: string;
                /** @description Only records changed at or after this time. For records that never change, it means created. */
                modifiedSince?: string;
                /** @description True to include the bytes of files. Otherwise the `content` of attachments is null. A page with files has at most 25 rows, regardless of `paging`, and 32 MiB of files. Beyond that, `content` is null; read the attachment by its id to get it. */
                includeFileContent?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example ce83d6ae-51dd-5336-bb18-5521ebe12ed0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Expiration_itemsPage"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    expirationItemsOfContact: {
        parameters: {
            query?: {
                /** @description The page number, starting at 1. -1 means the first page, as if omitted. */
                page?: number;
                /** @description The member to sort by, ignoring case. Default: `expiration_date`, smallest first. */
                sort?: "" | "id" | "name" | "expiration_date" | "time_of_day" | "modified" | "is_active" | "team_id" | "contact_id";
                /** @description The direction of `sort`, ignoring case. */
                sortDirection?: "asc" | "desc";
                /** @description Part of the name or the details, ignoring case. A licence plate or number in the name is found however it is divided. Values of custom fields are searched, too. */
                term?: string;
                /** @description The number of rows per page. */
                paging?: number;
                /** @description The cursor to continue from, instead of `page`. Take it from the `Link` of the previous page, or leave it empty to begin. */
                cursor?: string;
                /** @description Only records changed at or after this time. For records that never change, it means created. */
                modifiedSince?: string;
                /** @description True to include the bytes of files. Otherwise the `content` of attachments is null. A page with files has at most 25 rows, regardless of `paging`, and 32 MiB of files. Beyond that, `content` is null; read the attachment by its id to get it. */
                includeFileContent?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 2eed10f5-5db1-5f6b-a27a-035009deb775
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Expiration_itemsPage"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    locations: {
        parameters: {
            query?: {
                /** @description Part of the name, ignoring case. Values of custom fields are searched, too. */
                term?: string;
                /** @description The page number, starting at 1. -1 means the first page, as if omitted. */
                page?: number;
                /** @description The member to sort by, ignoring case. Default: `name`, smallest first. */
                sort?: "" | "id" | "parent_location_id" | "name" | "team_id" | "modified";
                /** @description The direction of `sort`, ignoring case. */
                sortDirection?: "asc" | "desc";
                /** @description The number of rows per page. */
                paging?: number;
                /** @description The cursor to continue from, instead of `page`. Take it from the `Link` of the previous page, or leave it empty to begin. */
                cursor?: string;
                /** @description Only records changed at or after this time. For records that never change, it means created. */
                modifiedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LocationsPage"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createLocation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateLocationInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LocationModel"];
                };
            };
        };
    };
    location: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 114c68ef-624b-5e03-b6c0-9dbc4d8fbe12
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LocationModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateLocation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 114c68ef-624b-5e03-b6c0-9dbc4d8fbe12
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateLocationInput"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LocationModel"];
                };
            };
        };
    };
    deleteLocation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 49271a3a-8cf2-5a2a-be63-bb8bf8025c8c
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record as it was. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LocationModel"];
                };
            };
        };
    };
    patchLocation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 114c68ef-624b-5e03-b6c0-9dbc4d8fbe12
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchDocument"];
                "application/json-patch+json": components["schemas"]["PatchDocument"];
                "application/merge-patch+json": components["schemas"]["LocationMergePatch"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LocationModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    notes: {
        parameters: {
            query?: {
                /** @description Part of the name or the plain text, ignoring case. */
                term?: string;
                /** @description The page number, starting at 1. -1 means the first page, as if omitted. */
                page?: number;
                /** @description The member to sort by, ignoring case. Default: `modified`, largest first regardless of `sortDirection`. */
                sort?: "" | "id" | "name" | "team_id" | "created" | "modified";
                /** @description The direction of `sort`, ignoring case. */
                sortDirection?: "asc" | "desc";
                /** @description The number of rows per page. */
                paging?: number;
                /** @description The cursor to continue from, instead of `page`. Take it from the `Link` of the previous page, or leave it empty to begin. */
                cursor?: string;
                /** @description Only records changed at or after this time. For records that never change, it means created. */
                modifiedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotesPage"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createNote: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateNoteInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoteModel"];
                };
            };
        };
    };
    note: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example fa5206a5-199f-5f0b-9c5c-b6bc3dbe9de8
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoteModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateNote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example fa5206a5-199f-5f0b-9c5c-b6bc3dbe9de8
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateNoteInput"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoteModel"];
                };
            };
        };
    };
    deleteNote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 4d033bf5-0fff-5896-9165-f7f6a5e78fe7
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record as it was. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoteModel"];
                };
            };
        };
    };
    patchNote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example fa5206a5-199f-5f0b-9c5c-b6bc3dbe9de8
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchDocument"];
                "application/json-patch+json": components["schemas"]["PatchDocument"];
                "application/merge-patch+json": components["schemas"]["NoteMergePatch"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoteModel"];
                };
            };
        };
    };
    reminderPolicies: {
        parameters: {
            query?: {
                /** @description Part of the name, ignoring case. */
                term?: string;
                /** @description The page number, starting at 1. -1 means the first page, as if omitted. */
                page?: number;
                /** @description The member to sort by, ignoring case. Default: `name`, smallest first. */
                sort?: "" | "id" | "name" | "time_of_day" | "deliver_on" | "contacts_may_renew" | "team_id" | "created" | "modified";
                /** @description The direction of `sort`, ignoring case. */
                sortDirection?: "asc" | "desc";
                /** @description The number of rows per page. */
                paging?: number;
                /** @description The cursor to continue from, instead of `page`. Take it from the `Link` of the previous page, or leave it empty to begin. */
                cursor?: string;
                /** @description Only records changed at or after this time. For records that never change, it means created. */
                modifiedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reminder_policiesPage"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createReminderPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateReminderPolicyInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReminderPolicyModel"];
                };
            };
        };
    };
    reminderPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example f9400e8e-b790-53dd-8b7d-72c3b5e359ea
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReminderPolicyModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateReminderPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example f9400e8e-b790-53dd-8b7d-72c3b5e359ea
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateReminderPolicyInput"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReminderPolicyModel"];
                };
            };
        };
    };
    deleteReminderPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 165df6f9-815e-5b64-bbb3-cea920a6b0c4
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record as it was. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReminderPolicyModel"];
                };
            };
        };
    };
    patchReminderPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example f9400e8e-b790-53dd-8b7d-72c3b5e359ea
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchDocument"];
                "application/json-patch+json": components["schemas"]["PatchDocument"];
                "application/merge-patch+json": components["schemas"]["ReminderPolicyMergePatch"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReminderPolicyModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    renewals: {
        parameters: {
            query?: {
                /** @description Part of the details, ignoring case. */
                term?: string;
                /** @description The page number, starting at 1. -1 means the first page, as if omitted. */
                page?: number;
                /** @description The member to sort by, ignoring case. Default: `created`, largest first regardless of `sortDirection`. */
                sort?: "" | "id" | "previous_date" | "expiration_date" | "created";
                /** @description The direction of `sort`, ignoring case. */
                sortDirection?: "asc" | "desc";
                /** @description The number of rows per page. */
                paging?: number;
                /** @description The cursor to continue from, instead of `page`. Take it from the `Link` of the previous page, or leave it empty to begin. */
                cursor?: string;
                /** @description Only records changed at or after this time. For records that never change, it means created. */
                modifiedSince?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 9084432e-cda1-51c2-8e99-eb0d63fe94c8
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenewalsPage"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    requirements: {
        parameters: {
            query?: {
                /** @description Part of the name, ignoring case. */
                term?: string;
                /** @description The page number, starting at 1. -1 means the first page, as if omitted. */
                page?: number;
                /** @description The member to sort by, ignoring case. Default: `name`, smallest first. */
                sort?: "" | "id" | "name" | "holder_kind" | "any_of" | "valid_days" | "grace_days" | "needs_file" | "allow_no_date" | "ask_to" | "ask_days_before" | "ask_every_days" | "is_active" | "team_id" | "modified";
                /** @description The direction of `sort`, ignoring case. */
                sortDirection?: "asc" | "desc";
                /** @description The number of rows per page. */
                paging?: number;
                /** @description The cursor to continue from, instead of `page`. Take it from the `Link` of the previous page, or leave it empty to begin. */
                cursor?: string;
                /** @description Only records changed at or after this time. For records that never change, it means created. */
                modifiedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequirementsPage"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createRequirement: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRequirementInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequirementModel"];
                };
            };
        };
    };
    requirement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 8aaff274-327e-5140-a990-82a2f98bcc59
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequirementModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateRequirement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 8aaff274-327e-5140-a990-82a2f98bcc59
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateRequirementInput"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequirementModel"];
                };
            };
        };
    };
    deleteRequirement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 8aaff274-327e-5140-a990-82a2f98bcc59
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record as it was. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequirementModel"];
                };
            };
        };
    };
    patchRequirement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 8aaff274-327e-5140-a990-82a2f98bcc59
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchDocument"];
                "application/json-patch+json": components["schemas"]["PatchDocument"];
                "application/merge-patch+json": components["schemas"]["RequirementMergePatch"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequirementModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    tags: {
        parameters: {
            query?: {
                /** @description Part of the name, ignoring case. */
                term?: string;
                /** @description The page number, starting at 1. -1 means the first page, as if omitted. */
                page?: number;
                /** @description The member to sort by, ignoring case. Default: `name`, smallest first. */
                sort?: "" | "id" | "name" | "team_id" | "modified";
                /** @description The direction of `sort`, ignoring case. */
                sortDirection?: "asc" | "desc";
                /** @description The number of rows per page. */
                paging?: number;
                /** @description The cursor to continue from, instead of `page`. Take it from the `Link` of the previous page, or leave it empty to begin. */
                cursor?: string;
                /** @description Only records changed at or after this time. For records that never change, it means created. */
                modifiedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TagsPage"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createTag: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTagInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TagModel"];
                };
            };
        };
    };
    tag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example aa9106d6-53d9-56e2-bf3f-f43c48c3128b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TagModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateTag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example aa9106d6-53d9-56e2-bf3f-f43c48c3128b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTagInput"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TagModel"];
                };
            };
        };
    };
    deleteTag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 340a13a9-b1d6-5fe8-bb4b-84c0f0726290
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record as it was. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TagModel"];
                };
            };
        };
    };
    patchTag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example aa9106d6-53d9-56e2-bf3f-f43c48c3128b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchDocument"];
                "application/json-patch+json": components["schemas"]["PatchDocument"];
                "application/merge-patch+json": components["schemas"]["TagMergePatch"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TagModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    teams: {
        parameters: {
            query?: {
                /** @description Part of the name, ignoring case. */
                term?: string;
                /** @description The page number, starting at 1. -1 means the first page, as if omitted. */
                page?: number;
                /** @description The member to sort by, ignoring case. Default: `name`, smallest first. */
                sort?: "" | "name" | "id" | "is_active" | "modified";
                /** @description The direction of `sort`, ignoring case. */
                sortDirection?: "asc" | "desc";
                /** @description The number of rows per page. */
                paging?: number;
                /** @description The cursor to continue from, instead of `page`. Take it from the `Link` of the previous page, or leave it empty to begin. */
                cursor?: string;
                /** @description Only records changed at or after this time. For records that never change, it means created. */
                modifiedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamsPage"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createTeam: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTeamInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamModel"];
                };
            };
        };
    };
    team: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example e158d84a-c4e2-599e-be1e-04cf8221eafa
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example e158d84a-c4e2-599e-be1e-04cf8221eafa
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTeamInput"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamModel"];
                };
            };
        };
    };
    deleteTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example fed63379-c226-5ce5-a354-1cd22ab460a4
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record as it was. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamModel"];
                };
            };
        };
    };
    patchTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example e158d84a-c4e2-599e-be1e-04cf8221eafa
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchDocument"];
                "application/json-patch+json": components["schemas"]["PatchDocument"];
                "application/merge-patch+json": components["schemas"]["TeamMergePatch"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveUpload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReceiveUploadInput"];
            };
        };
        responses: {
            /** @description The notification is stored. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    uploadNotifications: {
        parameters: {
            query?: {
                /** @description Part of the file name, action, URL, key or error, ignoring case. */
                term?: string;
                /** @description Only uploads in this state, ignoring case. */
                state?: "" | "received" | "filed" | "failed" | "ignored";
                /** @description The page number, starting at 1. -1 means the first page, as if omitted. */
                page?: number;
                /** @description The member to sort by, ignoring case. Default: `received_at`, largest first regardless of `sortDirection`. */
                sort?: "" | "id" | "action" | "filename" | "received_at" | "filed_at" | "modified";
                /** @description The direction of `sort`, ignoring case. */
                sortDirection?: "asc" | "desc";
                /** @description The number of rows per page. */
                paging?: number;
                /** @description The cursor to continue from, instead of `page`. Take it from the `Link` of the previous page, or leave it empty to begin. */
                cursor?: string;
                /** @description Only records changed at or after this time. For records that never change, it means created. */
                modifiedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadsPage"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    addUpload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddUploadInput"];
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The file.
                     */
                    file: string;
                    /** @description The name of the item's document type. If none has this name, one is created. */
                    category?: string | null;
                    /**
                     * Format: uuid
                     * @description The id of the company that the new item is a paper of.
                     */
                    company_id?: string | null;
                    /** @description The tax number of the company that the new item is a paper of. */
                    company_tax_id?: string | null;
                    /** @description The e-mail address of the item's contact. If none has this address, one is created. */
                    contact_email?: string | null;
                    /** @description The file's media type. Default: the one that was sent with it. */
                    content_type?: string | null;
                    /**
                     * @description The day the item expires.
                     * @example 2027-02-28
                     */
                    expiration_date?: string | null;
                    /**
                     * Format: uuid
                     * @description The item that the file belongs to. If omitted, a new item is created.
                     */
                    expiration_item_id?: string | null;
                    /** @description The file's name. Default: the one that was sent with it. */
                    file_name?: string | null;
                    /** @description The e-mail address of the person that the new item is a paper of. */
                    holder_email?: string | null;
                    /**
                     * Format: uuid
                     * @description The id of the vehicle, person, company or location that the new item is a paper of. This and the following ones may be combined. Nothing is created.
                     */
                    holder_id?: string | null;
                    /** @description The licence plate of the vehicle that the new item is a paper of. It must name exactly one. */
                    license_plate?: string | null;
                    /** @description The new item's name. Default: that of the file. */
                    name?: string | null;
                    /**
                     * Format: uuid
                     * @description The id of a complete upload at `/v1/resumable-uploads`. It can be used once: repeats return the same notification.
                     */
                    resumable_upload_id?: string | null;
                    /**
                     * Format: uuid
                     * @description The workspace of the upload and of a new item. Default: that of the resumable upload, else the caller's own.
                     */
                    team_id?: string | null;
                    /** @description True to use the date that is read from the document, if it is certain. Default: false. */
                    trust_scan?: boolean | null;
                    /** @description The vehicle identification number of the vehicle that the new item is a paper of. It must name exactly one. */
                    vehicle_vin?: string | null;
                };
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadModel"];
                };
            };
        };
    };
    uploadNotification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example f9ac5ef8-df20-5df0-a397-a129c36122d5
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    retryUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example bd8d57c1-d840-540b-825f-3cf5a2e255c9
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadModel"];
                };
            };
        };
    };
    confirmUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example f9ac5ef8-df20-5df0-a397-a129c36122d5
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmUploadInput"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadModel"];
                };
            };
        };
    };
    user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example ed7954a7-7a49-5252-9485-4ddf95c2a32a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserRecordModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    vehicles: {
        parameters: {
            query?: {
                /** @description Part of the name, VIN, licence plate, make or model, ignoring case. A licence plate is found however it is divided. */
                term?: string;
                /** @description The page number, starting at 1. -1 means the first page, as if omitted. */
                page?: number;
                /** @description The member to sort by, ignoring case. Default: `name`, smallest first. */
                sort?: "" | "id" | "name" | "vin" | "license_plate" | "year" | "make" | "model" | "trim" | "color" | "body_type" | "registration_province" | "msrp" | "primary_meter_type_id" | "primary_meter_reading" | "ownership_id" | "status_id" | "folder_id" | "location_id" | "type_id" | "vehicle_fuel_type_id" | "assigned_to_contact_id" | "team_id" | "is_archived" | "modified";
                /** @description The direction of `sort`, ignoring case. */
                sortDirection?: "asc" | "desc";
                /** @description The number of rows per page. */
                paging?: number;
                /** @description The cursor to continue from, instead of `page`. Take it from the `Link` of the previous page, or leave it empty to begin. */
                cursor?: string;
                /** @description Only records changed at or after this time. For records that never change, it means created. */
                modifiedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VehiclesPage"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createVehicle: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateVehicleInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VehicleModel"];
                };
            };
        };
    };
    vehicle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 491caccd-485a-5049-856a-61fa24bf6d19
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VehicleModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    replaceVehicle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 491caccd-485a-5049-856a-61fa24bf6d19
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplaceVehicleInput"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VehicleModel"];
                };
            };
        };
    };
    deleteVehicle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 6166e272-6e50-5a43-8360-7486e1df8ee6
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record as it was. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VehicleModel"];
                };
            };
        };
    };
    patchVehicle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The record's id. Anything but a UUID matches no record.
                 * @example 491caccd-485a-5049-856a-61fa24bf6d19
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchDocument"];
                "application/json-patch+json": components["schemas"]["PatchDocument"];
                "application/merge-patch+json": components["schemas"]["VehicleMergePatch"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VehicleModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createManyDocumentRequests: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDocumentRequestsInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedDocumentRequestsModel"];
                };
            };
        };
    };
    documentRequestCounts: {
        parameters: {
            query?: {
                /** @description Part of the address, the message or the answer, ignoring case. */
                term?: string;
                /** @description Only documentrequests in this state, ignoring case. */
                state?: "" | "open" | "sent" | "opened" | "received" | "accepted" | "cancelled" | "lapsed";
                /** @description Only requests about this item, by its id. If empty, all requests. */
                item_id?: string;
                /** @description Only requests for documents of this type, by its id. If empty, all requests. */
                category_id?: string;
                /** @description Only requests for documents of this vehicle, person, company or location, by its id. If empty, all requests. */
                holder_id?: string;
                /** @description Only requests to this contact, by its id. If empty, all requests. */
                recipient_id?: string;
                /** @description Only requests in this workspace, by its id. If empty, all requests. */
                team_id?: string;
                /** @description Only records changed at or after this time. For records that never change, it means created. */
                modifiedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description One for each state that a request has. */
                        counts: components["schemas"]["DocumentRequestCountModel"][];
                    };
                };
            };
        };
    };
    digestSetting: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a user or contact, or `me`; or `users`, `contacts` or `organization` for the default of all.
                 * @example me
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The digest setting. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DigestSettingModel"];
                };
            };
        };
    };
    setDigestSetting: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a user or contact, or `me`; or `users`, `contacts` or `organization` for the default of all.
                 * @example me
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DigestSettingInput"];
            };
        };
        responses: {
            /** @description The digest setting. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DigestSettingModel"];
                };
            };
        };
    };
    deleteDigestSetting: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a user or contact, or `me`; or `users`, `contacts` or `organization` for the default of all.
                 * @example me
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listTeamExports: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The exports. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The newest first. */
                        exports: components["schemas"]["TeamExportModel"][];
                    };
                };
            };
        };
    };
    createTeamExport: {
        parameters: {
            query: {
                /** @description The workspace's id. */
                team_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The export. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamExportModel"];
                };
            };
        };
    };
    teamExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The export's id. Anything but a UUID matches none.
                 * @example 019aa0b2-7c40-7d5e-9c7b-2f6d1a8e7b40
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The export. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamExportModel"];
                };
            };
        };
    };
    deleteTeamExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The export's id. Anything but a UUID matches none.
                 * @example 019aa0b2-7c40-7d5e-9c7b-2f6d1a8e7b40
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    complianceOfVehicle: {
        parameters: {
            query?: {
                /** @description The day, which may be past or ahead. Default: today in the workspace of the record. */
                on?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The vehicle's id. Anything but a UUID matches none.
                 * @example 019aa0b2-7c40-7d5e-9c7b-2f6d1a8e7b40
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComplianceModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    complianceOfVehicleByKey: {
        parameters: {
            query?: {
                /** @description The day, which may be past or ahead. Default: today in the workspace of the record. */
                on?: string;
                /** @description The vehicle's license plate. */
                license_plate?: string;
                /** @description The vehicle's vin. */
                vin?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComplianceModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    complianceOfContact: {
        parameters: {
            query?: {
                /** @description The day, which may be past or ahead. Default: today in the workspace of the record. */
                on?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The contact's id. Anything but a UUID matches none.
                 * @example 019aa0b2-7c40-7d5e-9c7b-2f6d1a8e7b40
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComplianceModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    complianceOfContactByKey: {
        parameters: {
            query?: {
                /** @description The day, which may be past or ahead. Default: today in the workspace of the record. */
                on?: string;
                /** @description The contact's email. */
                email?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComplianceModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    complianceOfCompany: {
        parameters: {
            query?: {
                /** @description The day, which may be past or ahead. Default: today in the workspace of the record. */
                on?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The company's id. Anything but a UUID matches none.
                 * @example 019aa0b2-7c40-7d5e-9c7b-2f6d1a8e7b40
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComplianceModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    complianceOfCompanyByKey: {
        parameters: {
            query?: {
                /** @description The day, which may be past or ahead. Default: today in the workspace of the record. */
                on?: string;
                /** @description The company's tax id. */
                tax_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComplianceModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    complianceOfLocation: {
        parameters: {
            query?: {
                /** @description The day, which may be past or ahead. Default: today in the workspace of the record. */
                on?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The location's id. Anything but a UUID matches none.
                 * @example 019aa0b2-7c40-7d5e-9c7b-2f6d1a8e7b40
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComplianceModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    complianceOfLocationByKey: {
        parameters: {
            query?: {
                /** @description The day, which may be past or ahead. Default: today in the workspace of the record. */
                on?: string;
                /** @description The location's name. */
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComplianceModel"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
