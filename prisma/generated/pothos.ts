/* eslint-disable */
import type { Prisma, Attachment, AttachmentContent, BinEntry, BinRow, CalendarFeed, Category, Channel, Company, Requirement, Exemption, HolderCompliance, ComplianceTurn, ComplianceLink, ComplianceNotice, AskedPaper, Contact, ContactType, RecipientSetting, Suppression, Delivery, DocumentRequest, DocumentRequestLink, EventLog, EventLogEntity, ExpirationItem, ExpirationItemContact, ExpirationItemLocation, ExpirationItemTag, ItemHolder, Renewal, IdempotencyKey, Import, ImportBatch, Location, MailText, Note, NoteRelation, Organization, Team, ReminderPolicy, ReminderStep, ReminderMark, ReminderCheck, ReminderJob, Reminder, ReminderTarget, Acknowledgement, Postponement, Watch, ResumableUpload, SavedView, SignInSession, Password, Passkey, TotpSecret, RecoveryCode, SignInLink, Tag, TeamExport, UploadNotification, User, Membership, Invitation, AccessToken, Vehicle, WebhookEndpoint, WebhookSecret, WebhookOutbox, WebhookMessage, WebhookDelivery, WebhookAttempt } from "./client/client.js";
import type { PothosPrismaDatamodel } from "@pothos/plugin-prisma";
export default interface PrismaTypes {
    Attachment: {
        Name: "Attachment";
        Shape: Attachment;
        Include: Prisma.AttachmentInclude;
        Select: Prisma.AttachmentSelect;
        OrderBy: Prisma.AttachmentOrderByWithRelationInput;
        WhereUnique: Prisma.AttachmentWhereUniqueInput;
        Where: Prisma.AttachmentWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "team" | "item" | "content" | "uploadNotifications";
        ListRelations: "uploadNotifications";
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            team: {
                Shape: Team;
                Name: "Team";
                Nullable: false;
            };
            item: {
                Shape: ExpirationItem;
                Name: "ExpirationItem";
                Nullable: false;
            };
            content: {
                Shape: AttachmentContent | null;
                Name: "AttachmentContent";
                Nullable: true;
            };
            uploadNotifications: {
                Shape: UploadNotification[];
                Name: "UploadNotification";
                Nullable: false;
            };
        };
    };
    AttachmentContent: {
        Name: "AttachmentContent";
        Shape: AttachmentContent;
        Include: Prisma.AttachmentContentInclude;
        Select: Prisma.AttachmentContentSelect;
        OrderBy: Prisma.AttachmentContentOrderByWithRelationInput;
        WhereUnique: Prisma.AttachmentContentWhereUniqueInput;
        Where: Prisma.AttachmentContentWhereInput;
        Create: {};
        Update: {};
        RelationName: "attachment" | "binEntry";
        ListRelations: never;
        Relations: {
            attachment: {
                Shape: Attachment | null;
                Name: "Attachment";
                Nullable: true;
            };
            binEntry: {
                Shape: BinEntry | null;
                Name: "BinEntry";
                Nullable: true;
            };
        };
    };
    BinEntry: {
        Name: "BinEntry";
        Shape: BinEntry;
        Include: Prisma.BinEntryInclude;
        Select: Prisma.BinEntrySelect;
        OrderBy: Prisma.BinEntryOrderByWithRelationInput;
        WhereUnique: Prisma.BinEntryWhereUniqueInput;
        Where: Prisma.BinEntryWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "deletedBy" | "rows" | "files";
        ListRelations: "rows" | "files";
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            deletedBy: {
                Shape: User | null;
                Name: "User";
                Nullable: true;
            };
            rows: {
                Shape: BinRow[];
                Name: "BinRow";
                Nullable: false;
            };
            files: {
                Shape: AttachmentContent[];
                Name: "AttachmentContent";
                Nullable: false;
            };
        };
    };
    BinRow: {
        Name: "BinRow";
        Shape: BinRow;
        Include: Prisma.BinRowInclude;
        Select: Prisma.BinRowSelect;
        OrderBy: Prisma.BinRowOrderByWithRelationInput;
        WhereUnique: Prisma.BinRowWhereUniqueInput;
        Where: Prisma.BinRowWhereInput;
        Create: {};
        Update: {};
        RelationName: "entry";
        ListRelations: never;
        Relations: {
            entry: {
                Shape: BinEntry;
                Name: "BinEntry";
                Nullable: false;
            };
        };
    };
    CalendarFeed: {
        Name: "CalendarFeed";
        Shape: CalendarFeed;
        Include: Prisma.CalendarFeedInclude;
        Select: Prisma.CalendarFeedSelect;
        OrderBy: Prisma.CalendarFeedOrderByWithRelationInput;
        WhereUnique: Prisma.CalendarFeedWhereUniqueInput;
        Where: Prisma.CalendarFeedWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "user" | "accessToken";
        ListRelations: never;
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            user: {
                Shape: User;
                Name: "User";
                Nullable: false;
            };
            accessToken: {
                Shape: AccessToken | null;
                Name: "AccessToken";
                Nullable: true;
            };
        };
    };
    Category: {
        Name: "Category";
        Shape: Category;
        Include: Prisma.CategoryInclude;
        Select: Prisma.CategorySelect;
        OrderBy: Prisma.CategoryOrderByWithRelationInput;
        WhereUnique: Prisma.CategoryWhereUniqueInput;
        Where: Prisma.CategoryWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "team" | "items" | "mailTexts" | "documentRequests" | "reminderPolicy";
        ListRelations: "items" | "mailTexts" | "documentRequests";
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            team: {
                Shape: Team;
                Name: "Team";
                Nullable: false;
            };
            items: {
                Shape: ExpirationItem[];
                Name: "ExpirationItem";
                Nullable: false;
            };
            mailTexts: {
                Shape: MailText[];
                Name: "MailText";
                Nullable: false;
            };
            documentRequests: {
                Shape: DocumentRequest[];
                Name: "DocumentRequest";
                Nullable: false;
            };
            reminderPolicy: {
                Shape: ReminderPolicy | null;
                Name: "ReminderPolicy";
                Nullable: true;
            };
        };
    };
    Channel: {
        Name: "Channel";
        Shape: Channel;
        Include: Prisma.ChannelInclude;
        Select: Prisma.ChannelSelect;
        OrderBy: Prisma.ChannelOrderByWithRelationInput;
        WhereUnique: Prisma.ChannelWhereUniqueInput;
        Where: Prisma.ChannelWhereInput;
        Create: {};
        Update: {};
        RelationName: "team";
        ListRelations: never;
        Relations: {
            team: {
                Shape: Team;
                Name: "Team";
                Nullable: false;
            };
        };
    };
    Company: {
        Name: "Company";
        Shape: Company;
        Include: Prisma.CompanyInclude;
        Select: Prisma.CompanySelect;
        OrderBy: Prisma.CompanyOrderByWithRelationInput;
        WhereUnique: Prisma.CompanyWhereUniqueInput;
        Where: Prisma.CompanyWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "team" | "primaryContact" | "assignedTo" | "papers" | "exemptions" | "complianceLinks" | "documentRequests" | "compliance";
        ListRelations: "papers" | "exemptions" | "complianceLinks" | "documentRequests" | "compliance";
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            team: {
                Shape: Team;
                Name: "Team";
                Nullable: false;
            };
            primaryContact: {
                Shape: Contact | null;
                Name: "Contact";
                Nullable: true;
            };
            assignedTo: {
                Shape: User | null;
                Name: "User";
                Nullable: true;
            };
            papers: {
                Shape: ItemHolder[];
                Name: "ItemHolder";
                Nullable: false;
            };
            exemptions: {
                Shape: Exemption[];
                Name: "Exemption";
                Nullable: false;
            };
            complianceLinks: {
                Shape: ComplianceLink[];
                Name: "ComplianceLink";
                Nullable: false;
            };
            documentRequests: {
                Shape: DocumentRequest[];
                Name: "DocumentRequest";
                Nullable: false;
            };
            compliance: {
                Shape: HolderCompliance[];
                Name: "HolderCompliance";
                Nullable: false;
            };
        };
    };
    Requirement: {
        Name: "Requirement";
        Shape: Requirement;
        Include: Prisma.RequirementInclude;
        Select: Prisma.RequirementSelect;
        OrderBy: Prisma.RequirementOrderByWithRelationInput;
        WhereUnique: Prisma.RequirementWhereUniqueInput;
        Where: Prisma.RequirementWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "team" | "exemptions" | "asked" | "requests";
        ListRelations: "exemptions" | "asked" | "requests";
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            team: {
                Shape: Team;
                Name: "Team";
                Nullable: false;
            };
            exemptions: {
                Shape: Exemption[];
                Name: "Exemption";
                Nullable: false;
            };
            asked: {
                Shape: AskedPaper[];
                Name: "AskedPaper";
                Nullable: false;
            };
            requests: {
                Shape: DocumentRequest[];
                Name: "DocumentRequest";
                Nullable: false;
            };
        };
    };
    Exemption: {
        Name: "Exemption";
        Shape: Exemption;
        Include: Prisma.ExemptionInclude;
        Select: Prisma.ExemptionSelect;
        OrderBy: Prisma.ExemptionOrderByWithRelationInput;
        WhereUnique: Prisma.ExemptionWhereUniqueInput;
        Where: Prisma.ExemptionWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "team" | "requirement" | "vehicle" | "contact" | "company" | "location" | "user" | "endedBy";
        ListRelations: never;
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            team: {
                Shape: Team;
                Name: "Team";
                Nullable: false;
            };
            requirement: {
                Shape: Requirement;
                Name: "Requirement";
                Nullable: false;
            };
            vehicle: {
                Shape: Vehicle | null;
                Name: "Vehicle";
                Nullable: true;
            };
            contact: {
                Shape: Contact | null;
                Name: "Contact";
                Nullable: true;
            };
            company: {
                Shape: Company | null;
                Name: "Company";
                Nullable: true;
            };
            location: {
                Shape: Location | null;
                Name: "Location";
                Nullable: true;
            };
            user: {
                Shape: User | null;
                Name: "User";
                Nullable: true;
            };
            endedBy: {
                Shape: User | null;
                Name: "User";
                Nullable: true;
            };
        };
    };
    HolderCompliance: {
        Name: "HolderCompliance";
        Shape: HolderCompliance;
        Include: Prisma.HolderComplianceInclude;
        Select: Prisma.HolderComplianceSelect;
        OrderBy: Prisma.HolderComplianceOrderByWithRelationInput;
        WhereUnique: Prisma.HolderComplianceWhereUniqueInput;
        Where: Prisma.HolderComplianceWhereInput;
        Create: {};
        Update: {};
        RelationName: "vehicle" | "contact" | "company" | "location" | "notices" | "asked";
        ListRelations: "notices" | "asked";
        Relations: {
            vehicle: {
                Shape: Vehicle | null;
                Name: "Vehicle";
                Nullable: true;
            };
            contact: {
                Shape: Contact | null;
                Name: "Contact";
                Nullable: true;
            };
            company: {
                Shape: Company | null;
                Name: "Company";
                Nullable: true;
            };
            location: {
                Shape: Location | null;
                Name: "Location";
                Nullable: true;
            };
            notices: {
                Shape: ComplianceNotice[];
                Name: "ComplianceNotice";
                Nullable: false;
            };
            asked: {
                Shape: AskedPaper[];
                Name: "AskedPaper";
                Nullable: false;
            };
        };
    };
    ComplianceTurn: {
        Name: "ComplianceTurn";
        Shape: ComplianceTurn;
        Include: never;
        Select: Prisma.ComplianceTurnSelect;
        OrderBy: Prisma.ComplianceTurnOrderByWithRelationInput;
        WhereUnique: Prisma.ComplianceTurnWhereUniqueInput;
        Where: Prisma.ComplianceTurnWhereInput;
        Create: {};
        Update: {};
        RelationName: never;
        ListRelations: never;
        Relations: {};
    };
    ComplianceLink: {
        Name: "ComplianceLink";
        Shape: ComplianceLink;
        Include: Prisma.ComplianceLinkInclude;
        Select: Prisma.ComplianceLinkSelect;
        OrderBy: Prisma.ComplianceLinkOrderByWithRelationInput;
        WhereUnique: Prisma.ComplianceLinkWhereUniqueInput;
        Where: Prisma.ComplianceLinkWhereInput;
        Create: {};
        Update: {};
        RelationName: "team" | "vehicle" | "contact" | "company" | "location" | "user" | "revokedBy";
        ListRelations: never;
        Relations: {
            team: {
                Shape: Team;
                Name: "Team";
                Nullable: false;
            };
            vehicle: {
                Shape: Vehicle | null;
                Name: "Vehicle";
                Nullable: true;
            };
            contact: {
                Shape: Contact | null;
                Name: "Contact";
                Nullable: true;
            };
            company: {
                Shape: Company | null;
                Name: "Company";
                Nullable: true;
            };
            location: {
                Shape: Location | null;
                Name: "Location";
                Nullable: true;
            };
            user: {
                Shape: User | null;
                Name: "User";
                Nullable: true;
            };
            revokedBy: {
                Shape: User | null;
                Name: "User";
                Nullable: true;
            };
        };
    };
    ComplianceNotice: {
        Name: "ComplianceNotice";
        Shape: ComplianceNotice;
        Include: Prisma.ComplianceNoticeInclude;
        Select: Prisma.ComplianceNoticeSelect;
        OrderBy: Prisma.ComplianceNoticeOrderByWithRelationInput;
        WhereUnique: Prisma.ComplianceNoticeWhereUniqueInput;
        Where: Prisma.ComplianceNoticeWhereInput;
        Create: {};
        Update: {};
        RelationName: "watch" | "compliance";
        ListRelations: never;
        Relations: {
            watch: {
                Shape: Watch;
                Name: "Watch";
                Nullable: false;
            };
            compliance: {
                Shape: HolderCompliance;
                Name: "HolderCompliance";
                Nullable: false;
            };
        };
    };
    AskedPaper: {
        Name: "AskedPaper";
        Shape: AskedPaper;
        Include: Prisma.AskedPaperInclude;
        Select: Prisma.AskedPaperSelect;
        OrderBy: Prisma.AskedPaperOrderByWithRelationInput;
        WhereUnique: Prisma.AskedPaperWhereUniqueInput;
        Where: Prisma.AskedPaperWhereInput;
        Create: {};
        Update: {};
        RelationName: "requirement" | "compliance";
        ListRelations: never;
        Relations: {
            requirement: {
                Shape: Requirement;
                Name: "Requirement";
                Nullable: false;
            };
            compliance: {
                Shape: HolderCompliance;
                Name: "HolderCompliance";
                Nullable: false;
            };
        };
    };
    Contact: {
        Name: "Contact";
        Shape: Contact;
        Include: Prisma.ContactInclude;
        Select: Prisma.ContactSelect;
        OrderBy: Prisma.ContactOrderByWithRelationInput;
        WhereUnique: Prisma.ContactWhereUniqueInput;
        Where: Prisma.ContactWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "team" | "assignedTo" | "type" | "location" | "mainOf" | "items" | "papers" | "exemptions" | "complianceLinks" | "requestsAbout" | "requestsTo" | "compliance" | "companies" | "vehicles" | "acknowledgements" | "watches";
        ListRelations: "mainOf" | "items" | "papers" | "exemptions" | "complianceLinks" | "requestsAbout" | "requestsTo" | "compliance" | "companies" | "vehicles" | "acknowledgements" | "watches";
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            team: {
                Shape: Team;
                Name: "Team";
                Nullable: false;
            };
            assignedTo: {
                Shape: User | null;
                Name: "User";
                Nullable: true;
            };
            type: {
                Shape: ContactType | null;
                Name: "ContactType";
                Nullable: true;
            };
            location: {
                Shape: Location | null;
                Name: "Location";
                Nullable: true;
            };
            mainOf: {
                Shape: ExpirationItem[];
                Name: "ExpirationItem";
                Nullable: false;
            };
            items: {
                Shape: ExpirationItemContact[];
                Name: "ExpirationItemContact";
                Nullable: false;
            };
            papers: {
                Shape: ItemHolder[];
                Name: "ItemHolder";
                Nullable: false;
            };
            exemptions: {
                Shape: Exemption[];
                Name: "Exemption";
                Nullable: false;
            };
            complianceLinks: {
                Shape: ComplianceLink[];
                Name: "ComplianceLink";
                Nullable: false;
            };
            requestsAbout: {
                Shape: DocumentRequest[];
                Name: "DocumentRequest";
                Nullable: false;
            };
            requestsTo: {
                Shape: DocumentRequest[];
                Name: "DocumentRequest";
                Nullable: false;
            };
            compliance: {
                Shape: HolderCompliance[];
                Name: "HolderCompliance";
                Nullable: false;
            };
            companies: {
                Shape: Company[];
                Name: "Company";
                Nullable: false;
            };
            vehicles: {
                Shape: Vehicle[];
                Name: "Vehicle";
                Nullable: false;
            };
            acknowledgements: {
                Shape: Acknowledgement[];
                Name: "Acknowledgement";
                Nullable: false;
            };
            watches: {
                Shape: Watch[];
                Name: "Watch";
                Nullable: false;
            };
        };
    };
    ContactType: {
        Name: "ContactType";
        Shape: ContactType;
        Include: Prisma.ContactTypeInclude;
        Select: Prisma.ContactTypeSelect;
        OrderBy: Prisma.ContactTypeOrderByWithRelationInput;
        WhereUnique: Prisma.ContactTypeWhereUniqueInput;
        Where: Prisma.ContactTypeWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "team" | "contacts";
        ListRelations: "contacts";
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            team: {
                Shape: Team;
                Name: "Team";
                Nullable: false;
            };
            contacts: {
                Shape: Contact[];
                Name: "Contact";
                Nullable: false;
            };
        };
    };
    RecipientSetting: {
        Name: "RecipientSetting";
        Shape: RecipientSetting;
        Include: Prisma.RecipientSettingInclude;
        Select: Prisma.RecipientSettingSelect;
        OrderBy: Prisma.RecipientSettingOrderByWithRelationInput;
        WhereUnique: Prisma.RecipientSettingWhereUniqueInput;
        Where: Prisma.RecipientSettingWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization";
        ListRelations: never;
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
        };
    };
    Suppression: {
        Name: "Suppression";
        Shape: Suppression;
        Include: Prisma.SuppressionInclude;
        Select: Prisma.SuppressionSelect;
        OrderBy: Prisma.SuppressionOrderByWithRelationInput;
        WhereUnique: Prisma.SuppressionWhereUniqueInput;
        Where: Prisma.SuppressionWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization";
        ListRelations: never;
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
        };
    };
    Delivery: {
        Name: "Delivery";
        Shape: Delivery;
        Include: Prisma.DeliveryInclude;
        Select: Prisma.DeliverySelect;
        OrderBy: Prisma.DeliveryOrderByWithRelationInput;
        WhereUnique: Prisma.DeliveryWhereUniqueInput;
        Where: Prisma.DeliveryWhereInput;
        Create: {};
        Update: {};
        RelationName: "team" | "documentRequests";
        ListRelations: "documentRequests";
        Relations: {
            team: {
                Shape: Team;
                Name: "Team";
                Nullable: false;
            };
            documentRequests: {
                Shape: DocumentRequest[];
                Name: "DocumentRequest";
                Nullable: false;
            };
        };
    };
    DocumentRequest: {
        Name: "DocumentRequest";
        Shape: DocumentRequest;
        Include: Prisma.DocumentRequestInclude;
        Select: Prisma.DocumentRequestSelect;
        OrderBy: Prisma.DocumentRequestOrderByWithRelationInput;
        WhereUnique: Prisma.DocumentRequestWhereUniqueInput;
        Where: Prisma.DocumentRequestWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "team" | "category" | "item" | "heldItem" | "vehicle" | "contact" | "company" | "location" | "requirement" | "recipient" | "link" | "delivery" | "user" | "settledBy";
        ListRelations: never;
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            team: {
                Shape: Team;
                Name: "Team";
                Nullable: false;
            };
            category: {
                Shape: Category | null;
                Name: "Category";
                Nullable: true;
            };
            item: {
                Shape: ExpirationItem | null;
                Name: "ExpirationItem";
                Nullable: true;
            };
            heldItem: {
                Shape: ExpirationItem | null;
                Name: "ExpirationItem";
                Nullable: true;
            };
            vehicle: {
                Shape: Vehicle | null;
                Name: "Vehicle";
                Nullable: true;
            };
            contact: {
                Shape: Contact | null;
                Name: "Contact";
                Nullable: true;
            };
            company: {
                Shape: Company | null;
                Name: "Company";
                Nullable: true;
            };
            location: {
                Shape: Location | null;
                Name: "Location";
                Nullable: true;
            };
            requirement: {
                Shape: Requirement | null;
                Name: "Requirement";
                Nullable: true;
            };
            recipient: {
                Shape: Contact | null;
                Name: "Contact";
                Nullable: true;
            };
            link: {
                Shape: DocumentRequestLink | null;
                Name: "DocumentRequestLink";
                Nullable: true;
            };
            delivery: {
                Shape: Delivery | null;
                Name: "Delivery";
                Nullable: true;
            };
            user: {
                Shape: User | null;
                Name: "User";
                Nullable: true;
            };
            settledBy: {
                Shape: User | null;
                Name: "User";
                Nullable: true;
            };
        };
    };
    DocumentRequestLink: {
        Name: "DocumentRequestLink";
        Shape: DocumentRequestLink;
        Include: Prisma.DocumentRequestLinkInclude;
        Select: Prisma.DocumentRequestLinkSelect;
        OrderBy: Prisma.DocumentRequestLinkOrderByWithRelationInput;
        WhereUnique: Prisma.DocumentRequestLinkWhereUniqueInput;
        Where: Prisma.DocumentRequestLinkWhereInput;
        Create: {};
        Update: {};
        RelationName: "team" | "requests";
        ListRelations: "requests";
        Relations: {
            team: {
                Shape: Team;
                Name: "Team";
                Nullable: false;
            };
            requests: {
                Shape: DocumentRequest[];
                Name: "DocumentRequest";
                Nullable: false;
            };
        };
    };
    EventLog: {
        Name: "EventLog";
        Shape: EventLog;
        Include: Prisma.EventLogInclude;
        Select: Prisma.EventLogSelect;
        OrderBy: Prisma.EventLogOrderByWithRelationInput;
        WhereUnique: Prisma.EventLogWhereUniqueInput;
        Where: Prisma.EventLogWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "user" | "entities";
        ListRelations: "entities";
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            user: {
                Shape: User | null;
                Name: "User";
                Nullable: true;
            };
            entities: {
                Shape: EventLogEntity[];
                Name: "EventLogEntity";
                Nullable: false;
            };
        };
    };
    EventLogEntity: {
        Name: "EventLogEntity";
        Shape: EventLogEntity;
        Include: Prisma.EventLogEntityInclude;
        Select: Prisma.EventLogEntitySelect;
        OrderBy: Prisma.EventLogEntityOrderByWithRelationInput;
        WhereUnique: Prisma.EventLogEntityWhereUniqueInput;
        Where: Prisma.EventLogEntityWhereInput;
        Create: {};
        Update: {};
        RelationName: "event";
        ListRelations: never;
        Relations: {
            event: {
                Shape: EventLog;
                Name: "EventLog";
                Nullable: false;
            };
        };
    };
    ExpirationItem: {
        Name: "ExpirationItem";
        Shape: ExpirationItem;
        Include: Prisma.ExpirationItemInclude;
        Select: Prisma.ExpirationItemSelect;
        OrderBy: Prisma.ExpirationItemOrderByWithRelationInput;
        WhereUnique: Prisma.ExpirationItemWhereUniqueInput;
        Where: Prisma.ExpirationItemWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "team" | "category" | "assignedTo" | "contact" | "contacts" | "locations" | "tags" | "holders" | "attachments" | "renewals" | "uploadNotifications" | "requests" | "heldRequests" | "reminderPolicy" | "acknowledgements" | "postponements";
        ListRelations: "contacts" | "locations" | "tags" | "holders" | "attachments" | "renewals" | "uploadNotifications" | "requests" | "heldRequests" | "acknowledgements" | "postponements";
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            team: {
                Shape: Team;
                Name: "Team";
                Nullable: false;
            };
            category: {
                Shape: Category;
                Name: "Category";
                Nullable: false;
            };
            assignedTo: {
                Shape: User | null;
                Name: "User";
                Nullable: true;
            };
            contact: {
                Shape: Contact | null;
                Name: "Contact";
                Nullable: true;
            };
            contacts: {
                Shape: ExpirationItemContact[];
                Name: "ExpirationItemContact";
                Nullable: false;
            };
            locations: {
                Shape: ExpirationItemLocation[];
                Name: "ExpirationItemLocation";
                Nullable: false;
            };
            tags: {
                Shape: ExpirationItemTag[];
                Name: "ExpirationItemTag";
                Nullable: false;
            };
            holders: {
                Shape: ItemHolder[];
                Name: "ItemHolder";
                Nullable: false;
            };
            attachments: {
                Shape: Attachment[];
                Name: "Attachment";
                Nullable: false;
            };
            renewals: {
                Shape: Renewal[];
                Name: "Renewal";
                Nullable: false;
            };
            uploadNotifications: {
                Shape: UploadNotification[];
                Name: "UploadNotification";
                Nullable: false;
            };
            requests: {
                Shape: DocumentRequest[];
                Name: "DocumentRequest";
                Nullable: false;
            };
            heldRequests: {
                Shape: DocumentRequest[];
                Name: "DocumentRequest";
                Nullable: false;
            };
            reminderPolicy: {
                Shape: ReminderPolicy | null;
                Name: "ReminderPolicy";
                Nullable: true;
            };
            acknowledgements: {
                Shape: Acknowledgement[];
                Name: "Acknowledgement";
                Nullable: false;
            };
            postponements: {
                Shape: Postponement[];
                Name: "Postponement";
                Nullable: false;
            };
        };
    };
    ExpirationItemContact: {
        Name: "ExpirationItemContact";
        Shape: ExpirationItemContact;
        Include: Prisma.ExpirationItemContactInclude;
        Select: Prisma.ExpirationItemContactSelect;
        OrderBy: Prisma.ExpirationItemContactOrderByWithRelationInput;
        WhereUnique: Prisma.ExpirationItemContactWhereUniqueInput;
        Where: Prisma.ExpirationItemContactWhereInput;
        Create: {};
        Update: {};
        RelationName: "item" | "contact";
        ListRelations: never;
        Relations: {
            item: {
                Shape: ExpirationItem;
                Name: "ExpirationItem";
                Nullable: false;
            };
            contact: {
                Shape: Contact;
                Name: "Contact";
                Nullable: false;
            };
        };
    };
    ExpirationItemLocation: {
        Name: "ExpirationItemLocation";
        Shape: ExpirationItemLocation;
        Include: Prisma.ExpirationItemLocationInclude;
        Select: Prisma.ExpirationItemLocationSelect;
        OrderBy: Prisma.ExpirationItemLocationOrderByWithRelationInput;
        WhereUnique: Prisma.ExpirationItemLocationWhereUniqueInput;
        Where: Prisma.ExpirationItemLocationWhereInput;
        Create: {};
        Update: {};
        RelationName: "item" | "location";
        ListRelations: never;
        Relations: {
            item: {
                Shape: ExpirationItem;
                Name: "ExpirationItem";
                Nullable: false;
            };
            location: {
                Shape: Location;
                Name: "Location";
                Nullable: false;
            };
        };
    };
    ExpirationItemTag: {
        Name: "ExpirationItemTag";
        Shape: ExpirationItemTag;
        Include: Prisma.ExpirationItemTagInclude;
        Select: Prisma.ExpirationItemTagSelect;
        OrderBy: Prisma.ExpirationItemTagOrderByWithRelationInput;
        WhereUnique: Prisma.ExpirationItemTagWhereUniqueInput;
        Where: Prisma.ExpirationItemTagWhereInput;
        Create: {};
        Update: {};
        RelationName: "item" | "tag";
        ListRelations: never;
        Relations: {
            item: {
                Shape: ExpirationItem;
                Name: "ExpirationItem";
                Nullable: false;
            };
            tag: {
                Shape: Tag;
                Name: "Tag";
                Nullable: false;
            };
        };
    };
    ItemHolder: {
        Name: "ItemHolder";
        Shape: ItemHolder;
        Include: Prisma.ItemHolderInclude;
        Select: Prisma.ItemHolderSelect;
        OrderBy: Prisma.ItemHolderOrderByWithRelationInput;
        WhereUnique: Prisma.ItemHolderWhereUniqueInput;
        Where: Prisma.ItemHolderWhereInput;
        Create: {};
        Update: {};
        RelationName: "item" | "vehicle" | "contact" | "company" | "location";
        ListRelations: never;
        Relations: {
            item: {
                Shape: ExpirationItem;
                Name: "ExpirationItem";
                Nullable: false;
            };
            vehicle: {
                Shape: Vehicle | null;
                Name: "Vehicle";
                Nullable: true;
            };
            contact: {
                Shape: Contact | null;
                Name: "Contact";
                Nullable: true;
            };
            company: {
                Shape: Company | null;
                Name: "Company";
                Nullable: true;
            };
            location: {
                Shape: Location | null;
                Name: "Location";
                Nullable: true;
            };
        };
    };
    Renewal: {
        Name: "Renewal";
        Shape: Renewal;
        Include: Prisma.RenewalInclude;
        Select: Prisma.RenewalSelect;
        OrderBy: Prisma.RenewalOrderByWithRelationInput;
        WhereUnique: Prisma.RenewalWhereUniqueInput;
        Where: Prisma.RenewalWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "team" | "item" | "user";
        ListRelations: never;
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            team: {
                Shape: Team;
                Name: "Team";
                Nullable: false;
            };
            item: {
                Shape: ExpirationItem;
                Name: "ExpirationItem";
                Nullable: false;
            };
            user: {
                Shape: User | null;
                Name: "User";
                Nullable: true;
            };
        };
    };
    IdempotencyKey: {
        Name: "IdempotencyKey";
        Shape: IdempotencyKey;
        Include: Prisma.IdempotencyKeyInclude;
        Select: Prisma.IdempotencyKeySelect;
        OrderBy: Prisma.IdempotencyKeyOrderByWithRelationInput;
        WhereUnique: Prisma.IdempotencyKeyWhereUniqueInput;
        Where: Prisma.IdempotencyKeyWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization";
        ListRelations: never;
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
        };
    };
    Import: {
        Name: "Import";
        Shape: Import;
        Include: Prisma.ImportInclude;
        Select: Prisma.ImportSelect;
        OrderBy: Prisma.ImportOrderByWithRelationInput;
        WhereUnique: Prisma.ImportWhereUniqueInput;
        Where: Prisma.ImportWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "user" | "batches";
        ListRelations: "batches";
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            user: {
                Shape: User;
                Name: "User";
                Nullable: false;
            };
            batches: {
                Shape: ImportBatch[];
                Name: "ImportBatch";
                Nullable: false;
            };
        };
    };
    ImportBatch: {
        Name: "ImportBatch";
        Shape: ImportBatch;
        Include: Prisma.ImportBatchInclude;
        Select: Prisma.ImportBatchSelect;
        OrderBy: Prisma.ImportBatchOrderByWithRelationInput;
        WhereUnique: Prisma.ImportBatchWhereUniqueInput;
        Where: Prisma.ImportBatchWhereInput;
        Create: {};
        Update: {};
        RelationName: "import";
        ListRelations: never;
        Relations: {
            import: {
                Shape: Import;
                Name: "Import";
                Nullable: false;
            };
        };
    };
    Location: {
        Name: "Location";
        Shape: Location;
        Include: Prisma.LocationInclude;
        Select: Prisma.LocationSelect;
        OrderBy: Prisma.LocationOrderByWithRelationInput;
        WhereUnique: Prisma.LocationWhereUniqueInput;
        Where: Prisma.LocationWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "team" | "parentLocation" | "children" | "contacts" | "vehicles" | "items" | "papers" | "exemptions" | "complianceLinks" | "documentRequests" | "compliance";
        ListRelations: "children" | "contacts" | "vehicles" | "items" | "papers" | "exemptions" | "complianceLinks" | "documentRequests" | "compliance";
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            team: {
                Shape: Team;
                Name: "Team";
                Nullable: false;
            };
            parentLocation: {
                Shape: Location | null;
                Name: "Location";
                Nullable: true;
            };
            children: {
                Shape: Location[];
                Name: "Location";
                Nullable: false;
            };
            contacts: {
                Shape: Contact[];
                Name: "Contact";
                Nullable: false;
            };
            vehicles: {
                Shape: Vehicle[];
                Name: "Vehicle";
                Nullable: false;
            };
            items: {
                Shape: ExpirationItemLocation[];
                Name: "ExpirationItemLocation";
                Nullable: false;
            };
            papers: {
                Shape: ItemHolder[];
                Name: "ItemHolder";
                Nullable: false;
            };
            exemptions: {
                Shape: Exemption[];
                Name: "Exemption";
                Nullable: false;
            };
            complianceLinks: {
                Shape: ComplianceLink[];
                Name: "ComplianceLink";
                Nullable: false;
            };
            documentRequests: {
                Shape: DocumentRequest[];
                Name: "DocumentRequest";
                Nullable: false;
            };
            compliance: {
                Shape: HolderCompliance[];
                Name: "HolderCompliance";
                Nullable: false;
            };
        };
    };
    MailText: {
        Name: "MailText";
        Shape: MailText;
        Include: Prisma.MailTextInclude;
        Select: Prisma.MailTextSelect;
        OrderBy: Prisma.MailTextOrderByWithRelationInput;
        WhereUnique: Prisma.MailTextWhereUniqueInput;
        Where: Prisma.MailTextWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "team" | "category";
        ListRelations: never;
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            team: {
                Shape: Team;
                Name: "Team";
                Nullable: false;
            };
            category: {
                Shape: Category | null;
                Name: "Category";
                Nullable: true;
            };
        };
    };
    Note: {
        Name: "Note";
        Shape: Note;
        Include: Prisma.NoteInclude;
        Select: Prisma.NoteSelect;
        OrderBy: Prisma.NoteOrderByWithRelationInput;
        WhereUnique: Prisma.NoteWhereUniqueInput;
        Where: Prisma.NoteWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "team" | "author" | "relations";
        ListRelations: "relations";
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            team: {
                Shape: Team;
                Name: "Team";
                Nullable: false;
            };
            author: {
                Shape: User | null;
                Name: "User";
                Nullable: true;
            };
            relations: {
                Shape: NoteRelation[];
                Name: "NoteRelation";
                Nullable: false;
            };
        };
    };
    NoteRelation: {
        Name: "NoteRelation";
        Shape: NoteRelation;
        Include: Prisma.NoteRelationInclude;
        Select: Prisma.NoteRelationSelect;
        OrderBy: Prisma.NoteRelationOrderByWithRelationInput;
        WhereUnique: Prisma.NoteRelationWhereUniqueInput;
        Where: Prisma.NoteRelationWhereInput;
        Create: {};
        Update: {};
        RelationName: "note";
        ListRelations: never;
        Relations: {
            note: {
                Shape: Note;
                Name: "Note";
                Nullable: false;
            };
        };
    };
    Organization: {
        Name: "Organization";
        Shape: Organization;
        Include: Prisma.OrganizationInclude;
        Select: Prisma.OrganizationSelect;
        OrderBy: Prisma.OrganizationOrderByWithRelationInput;
        WhereUnique: Prisma.OrganizationWhereUniqueInput;
        Where: Prisma.OrganizationWhereInput;
        Create: {};
        Update: {};
        RelationName: "teams" | "users" | "accessTokens" | "invitations" | "categories" | "companies" | "contactTypes" | "contacts" | "eventLogs" | "expirationItems" | "attachments" | "binEntries" | "renewals" | "idempotencyKeys" | "locations" | "notes" | "tags" | "uploadNotifications" | "vehicles" | "reminderPolicies" | "mailTexts" | "recipientSettings" | "suppressions" | "sessions" | "passwords" | "calendarFeeds" | "savedViews" | "imports" | "teamExports" | "resumableUploads" | "passkeys" | "totpSecrets" | "recoveryCodes" | "signInLinks" | "webhookEndpoints" | "webhookSecrets" | "webhookMessages" | "webhookDeliveries" | "requirements" | "exemptions" | "documentRequests";
        ListRelations: "teams" | "users" | "accessTokens" | "invitations" | "categories" | "companies" | "contactTypes" | "contacts" | "eventLogs" | "expirationItems" | "attachments" | "binEntries" | "renewals" | "idempotencyKeys" | "locations" | "notes" | "tags" | "uploadNotifications" | "vehicles" | "reminderPolicies" | "mailTexts" | "recipientSettings" | "suppressions" | "sessions" | "passwords" | "calendarFeeds" | "savedViews" | "imports" | "teamExports" | "resumableUploads" | "passkeys" | "totpSecrets" | "recoveryCodes" | "signInLinks" | "webhookEndpoints" | "webhookSecrets" | "webhookMessages" | "webhookDeliveries" | "requirements" | "exemptions" | "documentRequests";
        Relations: {
            teams: {
                Shape: Team[];
                Name: "Team";
                Nullable: false;
            };
            users: {
                Shape: User[];
                Name: "User";
                Nullable: false;
            };
            accessTokens: {
                Shape: AccessToken[];
                Name: "AccessToken";
                Nullable: false;
            };
            invitations: {
                Shape: Invitation[];
                Name: "Invitation";
                Nullable: false;
            };
            categories: {
                Shape: Category[];
                Name: "Category";
                Nullable: false;
            };
            companies: {
                Shape: Company[];
                Name: "Company";
                Nullable: false;
            };
            contactTypes: {
                Shape: ContactType[];
                Name: "ContactType";
                Nullable: false;
            };
            contacts: {
                Shape: Contact[];
                Name: "Contact";
                Nullable: false;
            };
            eventLogs: {
                Shape: EventLog[];
                Name: "EventLog";
                Nullable: false;
            };
            expirationItems: {
                Shape: ExpirationItem[];
                Name: "ExpirationItem";
                Nullable: false;
            };
            attachments: {
                Shape: Attachment[];
                Name: "Attachment";
                Nullable: false;
            };
            binEntries: {
                Shape: BinEntry[];
                Name: "BinEntry";
                Nullable: false;
            };
            renewals: {
                Shape: Renewal[];
                Name: "Renewal";
                Nullable: false;
            };
            idempotencyKeys: {
                Shape: IdempotencyKey[];
                Name: "IdempotencyKey";
                Nullable: false;
            };
            locations: {
                Shape: Location[];
                Name: "Location";
                Nullable: false;
            };
            notes: {
                Shape: Note[];
                Name: "Note";
                Nullable: false;
            };
            tags: {
                Shape: Tag[];
                Name: "Tag";
                Nullable: false;
            };
            uploadNotifications: {
                Shape: UploadNotification[];
                Name: "UploadNotification";
                Nullable: false;
            };
            vehicles: {
                Shape: Vehicle[];
                Name: "Vehicle";
                Nullable: false;
            };
            reminderPolicies: {
                Shape: ReminderPolicy[];
                Name: "ReminderPolicy";
                Nullable: false;
            };
            mailTexts: {
                Shape: MailText[];
                Name: "MailText";
                Nullable: false;
            };
            recipientSettings: {
                Shape: RecipientSetting[];
                Name: "RecipientSetting";
                Nullable: false;
            };
            suppressions: {
                Shape: Suppression[];
                Name: "Suppression";
                Nullable: false;
            };
            sessions: {
                Shape: SignInSession[];
                Name: "SignInSession";
                Nullable: false;
            };
            passwords: {
                Shape: Password[];
                Name: "Password";
                Nullable: false;
            };
            calendarFeeds: {
                Shape: CalendarFeed[];
                Name: "CalendarFeed";
                Nullable: false;
            };
            savedViews: {
                Shape: SavedView[];
                Name: "SavedView";
                Nullable: false;
            };
            imports: {
                Shape: Import[];
                Name: "Import";
                Nullable: false;
            };
            teamExports: {
                Shape: TeamExport[];
                Name: "TeamExport";
                Nullable: false;
            };
            resumableUploads: {
                Shape: ResumableUpload[];
                Name: "ResumableUpload";
                Nullable: false;
            };
            passkeys: {
                Shape: Passkey[];
                Name: "Passkey";
                Nullable: false;
            };
            totpSecrets: {
                Shape: TotpSecret[];
                Name: "TotpSecret";
                Nullable: false;
            };
            recoveryCodes: {
                Shape: RecoveryCode[];
                Name: "RecoveryCode";
                Nullable: false;
            };
            signInLinks: {
                Shape: SignInLink[];
                Name: "SignInLink";
                Nullable: false;
            };
            webhookEndpoints: {
                Shape: WebhookEndpoint[];
                Name: "WebhookEndpoint";
                Nullable: false;
            };
            webhookSecrets: {
                Shape: WebhookSecret[];
                Name: "WebhookSecret";
                Nullable: false;
            };
            webhookMessages: {
                Shape: WebhookMessage[];
                Name: "WebhookMessage";
                Nullable: false;
            };
            webhookDeliveries: {
                Shape: WebhookDelivery[];
                Name: "WebhookDelivery";
                Nullable: false;
            };
            requirements: {
                Shape: Requirement[];
                Name: "Requirement";
                Nullable: false;
            };
            exemptions: {
                Shape: Exemption[];
                Name: "Exemption";
                Nullable: false;
            };
            documentRequests: {
                Shape: DocumentRequest[];
                Name: "DocumentRequest";
                Nullable: false;
            };
        };
    };
    Team: {
        Name: "Team";
        Shape: Team;
        Include: Prisma.TeamInclude;
        Select: Prisma.TeamSelect;
        OrderBy: Prisma.TeamOrderByWithRelationInput;
        WhereUnique: Prisma.TeamWhereUniqueInput;
        Where: Prisma.TeamWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "memberships" | "defaultOf" | "categories" | "companies" | "contactTypes" | "contacts" | "expirationItems" | "attachments" | "renewals" | "locations" | "notes" | "tags" | "uploadNotifications" | "vehicles" | "reminderPolicy" | "reminders" | "acknowledgements" | "postponements" | "channels" | "savedViews" | "watches" | "mailTexts" | "deliveries" | "requirements" | "exemptions" | "documentRequests" | "documentRequestLinks" | "complianceLinks";
        ListRelations: "memberships" | "defaultOf" | "categories" | "companies" | "contactTypes" | "contacts" | "expirationItems" | "attachments" | "renewals" | "locations" | "notes" | "tags" | "uploadNotifications" | "vehicles" | "reminders" | "acknowledgements" | "postponements" | "channels" | "savedViews" | "watches" | "mailTexts" | "deliveries" | "requirements" | "exemptions" | "documentRequests" | "documentRequestLinks" | "complianceLinks";
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            memberships: {
                Shape: Membership[];
                Name: "Membership";
                Nullable: false;
            };
            defaultOf: {
                Shape: User[];
                Name: "User";
                Nullable: false;
            };
            categories: {
                Shape: Category[];
                Name: "Category";
                Nullable: false;
            };
            companies: {
                Shape: Company[];
                Name: "Company";
                Nullable: false;
            };
            contactTypes: {
                Shape: ContactType[];
                Name: "ContactType";
                Nullable: false;
            };
            contacts: {
                Shape: Contact[];
                Name: "Contact";
                Nullable: false;
            };
            expirationItems: {
                Shape: ExpirationItem[];
                Name: "ExpirationItem";
                Nullable: false;
            };
            attachments: {
                Shape: Attachment[];
                Name: "Attachment";
                Nullable: false;
            };
            renewals: {
                Shape: Renewal[];
                Name: "Renewal";
                Nullable: false;
            };
            locations: {
                Shape: Location[];
                Name: "Location";
                Nullable: false;
            };
            notes: {
                Shape: Note[];
                Name: "Note";
                Nullable: false;
            };
            tags: {
                Shape: Tag[];
                Name: "Tag";
                Nullable: false;
            };
            uploadNotifications: {
                Shape: UploadNotification[];
                Name: "UploadNotification";
                Nullable: false;
            };
            vehicles: {
                Shape: Vehicle[];
                Name: "Vehicle";
                Nullable: false;
            };
            reminderPolicy: {
                Shape: ReminderPolicy | null;
                Name: "ReminderPolicy";
                Nullable: true;
            };
            reminders: {
                Shape: Reminder[];
                Name: "Reminder";
                Nullable: false;
            };
            acknowledgements: {
                Shape: Acknowledgement[];
                Name: "Acknowledgement";
                Nullable: false;
            };
            postponements: {
                Shape: Postponement[];
                Name: "Postponement";
                Nullable: false;
            };
            channels: {
                Shape: Channel[];
                Name: "Channel";
                Nullable: false;
            };
            savedViews: {
                Shape: SavedView[];
                Name: "SavedView";
                Nullable: false;
            };
            watches: {
                Shape: Watch[];
                Name: "Watch";
                Nullable: false;
            };
            mailTexts: {
                Shape: MailText[];
                Name: "MailText";
                Nullable: false;
            };
            deliveries: {
                Shape: Delivery[];
                Name: "Delivery";
                Nullable: false;
            };
            requirements: {
                Shape: Requirement[];
                Name: "Requirement";
                Nullable: false;
            };
            exemptions: {
                Shape: Exemption[];
                Name: "Exemption";
                Nullable: false;
            };
            documentRequests: {
                Shape: DocumentRequest[];
                Name: "DocumentRequest";
                Nullable: false;
            };
            documentRequestLinks: {
                Shape: DocumentRequestLink[];
                Name: "DocumentRequestLink";
                Nullable: false;
            };
            complianceLinks: {
                Shape: ComplianceLink[];
                Name: "ComplianceLink";
                Nullable: false;
            };
        };
    };
    ReminderPolicy: {
        Name: "ReminderPolicy";
        Shape: ReminderPolicy;
        Include: Prisma.ReminderPolicyInclude;
        Select: Prisma.ReminderPolicySelect;
        OrderBy: Prisma.ReminderPolicyOrderByWithRelationInput;
        WhereUnique: Prisma.ReminderPolicyWhereUniqueInput;
        Where: Prisma.ReminderPolicyWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "steps" | "teams" | "categories" | "items";
        ListRelations: "steps" | "teams" | "categories" | "items";
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            steps: {
                Shape: ReminderStep[];
                Name: "ReminderStep";
                Nullable: false;
            };
            teams: {
                Shape: Team[];
                Name: "Team";
                Nullable: false;
            };
            categories: {
                Shape: Category[];
                Name: "Category";
                Nullable: false;
            };
            items: {
                Shape: ExpirationItem[];
                Name: "ExpirationItem";
                Nullable: false;
            };
        };
    };
    ReminderStep: {
        Name: "ReminderStep";
        Shape: ReminderStep;
        Include: Prisma.ReminderStepInclude;
        Select: Prisma.ReminderStepSelect;
        OrderBy: Prisma.ReminderStepOrderByWithRelationInput;
        WhereUnique: Prisma.ReminderStepWhereUniqueInput;
        Where: Prisma.ReminderStepWhereInput;
        Create: {};
        Update: {};
        RelationName: "policy";
        ListRelations: never;
        Relations: {
            policy: {
                Shape: ReminderPolicy;
                Name: "ReminderPolicy";
                Nullable: false;
            };
        };
    };
    ReminderMark: {
        Name: "ReminderMark";
        Shape: ReminderMark;
        Include: never;
        Select: Prisma.ReminderMarkSelect;
        OrderBy: Prisma.ReminderMarkOrderByWithRelationInput;
        WhereUnique: Prisma.ReminderMarkWhereUniqueInput;
        Where: Prisma.ReminderMarkWhereInput;
        Create: {};
        Update: {};
        RelationName: never;
        ListRelations: never;
        Relations: {};
    };
    ReminderCheck: {
        Name: "ReminderCheck";
        Shape: ReminderCheck;
        Include: never;
        Select: Prisma.ReminderCheckSelect;
        OrderBy: Prisma.ReminderCheckOrderByWithRelationInput;
        WhereUnique: Prisma.ReminderCheckWhereUniqueInput;
        Where: Prisma.ReminderCheckWhereInput;
        Create: {};
        Update: {};
        RelationName: never;
        ListRelations: never;
        Relations: {};
    };
    ReminderJob: {
        Name: "ReminderJob";
        Shape: ReminderJob;
        Include: never;
        Select: Prisma.ReminderJobSelect;
        OrderBy: Prisma.ReminderJobOrderByWithRelationInput;
        WhereUnique: Prisma.ReminderJobWhereUniqueInput;
        Where: Prisma.ReminderJobWhereInput;
        Create: {};
        Update: {};
        RelationName: never;
        ListRelations: never;
        Relations: {};
    };
    Reminder: {
        Name: "Reminder";
        Shape: Reminder;
        Include: Prisma.ReminderInclude;
        Select: Prisma.ReminderSelect;
        OrderBy: Prisma.ReminderOrderByWithRelationInput;
        WhereUnique: Prisma.ReminderWhereUniqueInput;
        Where: Prisma.ReminderWhereInput;
        Create: {};
        Update: {};
        RelationName: "team" | "targets";
        ListRelations: "targets";
        Relations: {
            team: {
                Shape: Team;
                Name: "Team";
                Nullable: false;
            };
            targets: {
                Shape: ReminderTarget[];
                Name: "ReminderTarget";
                Nullable: false;
            };
        };
    };
    ReminderTarget: {
        Name: "ReminderTarget";
        Shape: ReminderTarget;
        Include: Prisma.ReminderTargetInclude;
        Select: Prisma.ReminderTargetSelect;
        OrderBy: Prisma.ReminderTargetOrderByWithRelationInput;
        WhereUnique: Prisma.ReminderTargetWhereUniqueInput;
        Where: Prisma.ReminderTargetWhereInput;
        Create: {};
        Update: {};
        RelationName: "reminder";
        ListRelations: never;
        Relations: {
            reminder: {
                Shape: Reminder;
                Name: "Reminder";
                Nullable: false;
            };
        };
    };
    Acknowledgement: {
        Name: "Acknowledgement";
        Shape: Acknowledgement;
        Include: Prisma.AcknowledgementInclude;
        Select: Prisma.AcknowledgementSelect;
        OrderBy: Prisma.AcknowledgementOrderByWithRelationInput;
        WhereUnique: Prisma.AcknowledgementWhereUniqueInput;
        Where: Prisma.AcknowledgementWhereInput;
        Create: {};
        Update: {};
        RelationName: "team" | "item" | "user" | "contact";
        ListRelations: never;
        Relations: {
            team: {
                Shape: Team;
                Name: "Team";
                Nullable: false;
            };
            item: {
                Shape: ExpirationItem;
                Name: "ExpirationItem";
                Nullable: false;
            };
            user: {
                Shape: User | null;
                Name: "User";
                Nullable: true;
            };
            contact: {
                Shape: Contact | null;
                Name: "Contact";
                Nullable: true;
            };
        };
    };
    Postponement: {
        Name: "Postponement";
        Shape: Postponement;
        Include: Prisma.PostponementInclude;
        Select: Prisma.PostponementSelect;
        OrderBy: Prisma.PostponementOrderByWithRelationInput;
        WhereUnique: Prisma.PostponementWhereUniqueInput;
        Where: Prisma.PostponementWhereInput;
        Create: {};
        Update: {};
        RelationName: "team" | "item";
        ListRelations: never;
        Relations: {
            team: {
                Shape: Team;
                Name: "Team";
                Nullable: false;
            };
            item: {
                Shape: ExpirationItem;
                Name: "ExpirationItem";
                Nullable: false;
            };
        };
    };
    Watch: {
        Name: "Watch";
        Shape: Watch;
        Include: Prisma.WatchInclude;
        Select: Prisma.WatchSelect;
        OrderBy: Prisma.WatchOrderByWithRelationInput;
        WhereUnique: Prisma.WatchWhereUniqueInput;
        Where: Prisma.WatchWhereInput;
        Create: {};
        Update: {};
        RelationName: "team" | "user" | "contact" | "notices";
        ListRelations: "notices";
        Relations: {
            team: {
                Shape: Team;
                Name: "Team";
                Nullable: false;
            };
            user: {
                Shape: User | null;
                Name: "User";
                Nullable: true;
            };
            contact: {
                Shape: Contact | null;
                Name: "Contact";
                Nullable: true;
            };
            notices: {
                Shape: ComplianceNotice[];
                Name: "ComplianceNotice";
                Nullable: false;
            };
        };
    };
    ResumableUpload: {
        Name: "ResumableUpload";
        Shape: ResumableUpload;
        Include: Prisma.ResumableUploadInclude;
        Select: Prisma.ResumableUploadSelect;
        OrderBy: Prisma.ResumableUploadOrderByWithRelationInput;
        WhereUnique: Prisma.ResumableUploadWhereUniqueInput;
        Where: Prisma.ResumableUploadWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "user";
        ListRelations: never;
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            user: {
                Shape: User;
                Name: "User";
                Nullable: false;
            };
        };
    };
    SavedView: {
        Name: "SavedView";
        Shape: SavedView;
        Include: Prisma.SavedViewInclude;
        Select: Prisma.SavedViewSelect;
        OrderBy: Prisma.SavedViewOrderByWithRelationInput;
        WhereUnique: Prisma.SavedViewWhereUniqueInput;
        Where: Prisma.SavedViewWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "user" | "team";
        ListRelations: never;
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            user: {
                Shape: User;
                Name: "User";
                Nullable: false;
            };
            team: {
                Shape: Team | null;
                Name: "Team";
                Nullable: true;
            };
        };
    };
    SignInSession: {
        Name: "SignInSession";
        Shape: SignInSession;
        Include: Prisma.SignInSessionInclude;
        Select: Prisma.SignInSessionSelect;
        OrderBy: Prisma.SignInSessionOrderByWithRelationInput;
        WhereUnique: Prisma.SignInSessionWhereUniqueInput;
        Where: Prisma.SignInSessionWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "user";
        ListRelations: never;
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            user: {
                Shape: User;
                Name: "User";
                Nullable: false;
            };
        };
    };
    Password: {
        Name: "Password";
        Shape: Password;
        Include: Prisma.PasswordInclude;
        Select: Prisma.PasswordSelect;
        OrderBy: Prisma.PasswordOrderByWithRelationInput;
        WhereUnique: Prisma.PasswordWhereUniqueInput;
        Where: Prisma.PasswordWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "user";
        ListRelations: never;
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            user: {
                Shape: User;
                Name: "User";
                Nullable: false;
            };
        };
    };
    Passkey: {
        Name: "Passkey";
        Shape: Passkey;
        Include: Prisma.PasskeyInclude;
        Select: Prisma.PasskeySelect;
        OrderBy: Prisma.PasskeyOrderByWithRelationInput;
        WhereUnique: Prisma.PasskeyWhereUniqueInput;
        Where: Prisma.PasskeyWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "user";
        ListRelations: never;
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            user: {
                Shape: User;
                Name: "User";
                Nullable: false;
            };
        };
    };
    TotpSecret: {
        Name: "TotpSecret";
        Shape: TotpSecret;
        Include: Prisma.TotpSecretInclude;
        Select: Prisma.TotpSecretSelect;
        OrderBy: Prisma.TotpSecretOrderByWithRelationInput;
        WhereUnique: Prisma.TotpSecretWhereUniqueInput;
        Where: Prisma.TotpSecretWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "user";
        ListRelations: never;
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            user: {
                Shape: User;
                Name: "User";
                Nullable: false;
            };
        };
    };
    RecoveryCode: {
        Name: "RecoveryCode";
        Shape: RecoveryCode;
        Include: Prisma.RecoveryCodeInclude;
        Select: Prisma.RecoveryCodeSelect;
        OrderBy: Prisma.RecoveryCodeOrderByWithRelationInput;
        WhereUnique: Prisma.RecoveryCodeWhereUniqueInput;
        Where: Prisma.RecoveryCodeWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "user";
        ListRelations: never;
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            user: {
                Shape: User;
                Name: "User";
                Nullable: false;
            };
        };
    };
    SignInLink: {
        Name: "SignInLink";
        Shape: SignInLink;
        Include: Prisma.SignInLinkInclude;
        Select: Prisma.SignInLinkSelect;
        OrderBy: Prisma.SignInLinkOrderByWithRelationInput;
        WhereUnique: Prisma.SignInLinkWhereUniqueInput;
        Where: Prisma.SignInLinkWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "user";
        ListRelations: never;
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            user: {
                Shape: User;
                Name: "User";
                Nullable: false;
            };
        };
    };
    Tag: {
        Name: "Tag";
        Shape: Tag;
        Include: Prisma.TagInclude;
        Select: Prisma.TagSelect;
        OrderBy: Prisma.TagOrderByWithRelationInput;
        WhereUnique: Prisma.TagWhereUniqueInput;
        Where: Prisma.TagWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "team" | "items";
        ListRelations: "items";
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            team: {
                Shape: Team;
                Name: "Team";
                Nullable: false;
            };
            items: {
                Shape: ExpirationItemTag[];
                Name: "ExpirationItemTag";
                Nullable: false;
            };
        };
    };
    TeamExport: {
        Name: "TeamExport";
        Shape: TeamExport;
        Include: Prisma.TeamExportInclude;
        Select: Prisma.TeamExportSelect;
        OrderBy: Prisma.TeamExportOrderByWithRelationInput;
        WhereUnique: Prisma.TeamExportWhereUniqueInput;
        Where: Prisma.TeamExportWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "user";
        ListRelations: never;
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            user: {
                Shape: User;
                Name: "User";
                Nullable: false;
            };
        };
    };
    UploadNotification: {
        Name: "UploadNotification";
        Shape: UploadNotification;
        Include: Prisma.UploadNotificationInclude;
        Select: Prisma.UploadNotificationSelect;
        OrderBy: Prisma.UploadNotificationOrderByWithRelationInput;
        WhereUnique: Prisma.UploadNotificationWhereUniqueInput;
        Where: Prisma.UploadNotificationWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "team" | "accessToken" | "user" | "expirationItem" | "attachment";
        ListRelations: never;
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            team: {
                Shape: Team;
                Name: "Team";
                Nullable: false;
            };
            accessToken: {
                Shape: AccessToken | null;
                Name: "AccessToken";
                Nullable: true;
            };
            user: {
                Shape: User | null;
                Name: "User";
                Nullable: true;
            };
            expirationItem: {
                Shape: ExpirationItem | null;
                Name: "ExpirationItem";
                Nullable: true;
            };
            attachment: {
                Shape: Attachment | null;
                Name: "Attachment";
                Nullable: true;
            };
        };
    };
    User: {
        Name: "User";
        Shape: User;
        Include: Prisma.UserInclude;
        Select: Prisma.UserSelect;
        OrderBy: Prisma.UserOrderByWithRelationInput;
        WhereUnique: Prisma.UserWhereUniqueInput;
        Where: Prisma.UserWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "team" | "memberships" | "accessTokens" | "binEntries" | "invitation" | "companies" | "contacts" | "eventLogs" | "expirationItems" | "notes" | "renewals" | "uploadNotifications" | "vehicles" | "acknowledgements" | "watches" | "savedViews" | "exemptions" | "endedExemptions" | "complianceLinks" | "revokedComplianceLinks" | "documentRequests" | "settledDocumentRequests" | "sessions" | "password" | "calendarFeeds" | "imports" | "teamExports" | "resumableUploads" | "passkeys" | "totpSecret" | "recoveryCodes" | "signInLinks";
        ListRelations: "memberships" | "accessTokens" | "binEntries" | "companies" | "contacts" | "eventLogs" | "expirationItems" | "notes" | "renewals" | "uploadNotifications" | "vehicles" | "acknowledgements" | "watches" | "savedViews" | "exemptions" | "endedExemptions" | "complianceLinks" | "revokedComplianceLinks" | "documentRequests" | "settledDocumentRequests" | "sessions" | "calendarFeeds" | "imports" | "teamExports" | "resumableUploads" | "passkeys" | "recoveryCodes" | "signInLinks";
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            team: {
                Shape: Team;
                Name: "Team";
                Nullable: false;
            };
            memberships: {
                Shape: Membership[];
                Name: "Membership";
                Nullable: false;
            };
            accessTokens: {
                Shape: AccessToken[];
                Name: "AccessToken";
                Nullable: false;
            };
            binEntries: {
                Shape: BinEntry[];
                Name: "BinEntry";
                Nullable: false;
            };
            invitation: {
                Shape: Invitation | null;
                Name: "Invitation";
                Nullable: true;
            };
            companies: {
                Shape: Company[];
                Name: "Company";
                Nullable: false;
            };
            contacts: {
                Shape: Contact[];
                Name: "Contact";
                Nullable: false;
            };
            eventLogs: {
                Shape: EventLog[];
                Name: "EventLog";
                Nullable: false;
            };
            expirationItems: {
                Shape: ExpirationItem[];
                Name: "ExpirationItem";
                Nullable: false;
            };
            notes: {
                Shape: Note[];
                Name: "Note";
                Nullable: false;
            };
            renewals: {
                Shape: Renewal[];
                Name: "Renewal";
                Nullable: false;
            };
            uploadNotifications: {
                Shape: UploadNotification[];
                Name: "UploadNotification";
                Nullable: false;
            };
            vehicles: {
                Shape: Vehicle[];
                Name: "Vehicle";
                Nullable: false;
            };
            acknowledgements: {
                Shape: Acknowledgement[];
                Name: "Acknowledgement";
                Nullable: false;
            };
            watches: {
                Shape: Watch[];
                Name: "Watch";
                Nullable: false;
            };
            savedViews: {
                Shape: SavedView[];
                Name: "SavedView";
                Nullable: false;
            };
            exemptions: {
                Shape: Exemption[];
                Name: "Exemption";
                Nullable: false;
            };
            endedExemptions: {
                Shape: Exemption[];
                Name: "Exemption";
                Nullable: false;
            };
            complianceLinks: {
                Shape: ComplianceLink[];
                Name: "ComplianceLink";
                Nullable: false;
            };
            revokedComplianceLinks: {
                Shape: ComplianceLink[];
                Name: "ComplianceLink";
                Nullable: false;
            };
            documentRequests: {
                Shape: DocumentRequest[];
                Name: "DocumentRequest";
                Nullable: false;
            };
            settledDocumentRequests: {
                Shape: DocumentRequest[];
                Name: "DocumentRequest";
                Nullable: false;
            };
            sessions: {
                Shape: SignInSession[];
                Name: "SignInSession";
                Nullable: false;
            };
            password: {
                Shape: Password | null;
                Name: "Password";
                Nullable: true;
            };
            calendarFeeds: {
                Shape: CalendarFeed[];
                Name: "CalendarFeed";
                Nullable: false;
            };
            imports: {
                Shape: Import[];
                Name: "Import";
                Nullable: false;
            };
            teamExports: {
                Shape: TeamExport[];
                Name: "TeamExport";
                Nullable: false;
            };
            resumableUploads: {
                Shape: ResumableUpload[];
                Name: "ResumableUpload";
                Nullable: false;
            };
            passkeys: {
                Shape: Passkey[];
                Name: "Passkey";
                Nullable: false;
            };
            totpSecret: {
                Shape: TotpSecret | null;
                Name: "TotpSecret";
                Nullable: true;
            };
            recoveryCodes: {
                Shape: RecoveryCode[];
                Name: "RecoveryCode";
                Nullable: false;
            };
            signInLinks: {
                Shape: SignInLink[];
                Name: "SignInLink";
                Nullable: false;
            };
        };
    };
    Membership: {
        Name: "Membership";
        Shape: Membership;
        Include: Prisma.MembershipInclude;
        Select: Prisma.MembershipSelect;
        OrderBy: Prisma.MembershipOrderByWithRelationInput;
        WhereUnique: Prisma.MembershipWhereUniqueInput;
        Where: Prisma.MembershipWhereInput;
        Create: {};
        Update: {};
        RelationName: "user" | "team";
        ListRelations: never;
        Relations: {
            user: {
                Shape: User;
                Name: "User";
                Nullable: false;
            };
            team: {
                Shape: Team;
                Name: "Team";
                Nullable: false;
            };
        };
    };
    Invitation: {
        Name: "Invitation";
        Shape: Invitation;
        Include: Prisma.InvitationInclude;
        Select: Prisma.InvitationSelect;
        OrderBy: Prisma.InvitationOrderByWithRelationInput;
        WhereUnique: Prisma.InvitationWhereUniqueInput;
        Where: Prisma.InvitationWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "user";
        ListRelations: never;
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            user: {
                Shape: User;
                Name: "User";
                Nullable: false;
            };
        };
    };
    AccessToken: {
        Name: "AccessToken";
        Shape: AccessToken;
        Include: Prisma.AccessTokenInclude;
        Select: Prisma.AccessTokenSelect;
        OrderBy: Prisma.AccessTokenOrderByWithRelationInput;
        WhereUnique: Prisma.AccessTokenWhereUniqueInput;
        Where: Prisma.AccessTokenWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "user" | "uploadNotifications" | "calendarFeeds";
        ListRelations: "uploadNotifications" | "calendarFeeds";
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            user: {
                Shape: User;
                Name: "User";
                Nullable: false;
            };
            uploadNotifications: {
                Shape: UploadNotification[];
                Name: "UploadNotification";
                Nullable: false;
            };
            calendarFeeds: {
                Shape: CalendarFeed[];
                Name: "CalendarFeed";
                Nullable: false;
            };
        };
    };
    Vehicle: {
        Name: "Vehicle";
        Shape: Vehicle;
        Include: Prisma.VehicleInclude;
        Select: Prisma.VehicleSelect;
        OrderBy: Prisma.VehicleOrderByWithRelationInput;
        WhereUnique: Prisma.VehicleWhereUniqueInput;
        Where: Prisma.VehicleWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "team" | "location" | "assignedToContact" | "assignedTo" | "papers" | "exemptions" | "complianceLinks" | "documentRequests" | "compliance";
        ListRelations: "papers" | "exemptions" | "complianceLinks" | "documentRequests" | "compliance";
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            team: {
                Shape: Team;
                Name: "Team";
                Nullable: false;
            };
            location: {
                Shape: Location | null;
                Name: "Location";
                Nullable: true;
            };
            assignedToContact: {
                Shape: Contact | null;
                Name: "Contact";
                Nullable: true;
            };
            assignedTo: {
                Shape: User | null;
                Name: "User";
                Nullable: true;
            };
            papers: {
                Shape: ItemHolder[];
                Name: "ItemHolder";
                Nullable: false;
            };
            exemptions: {
                Shape: Exemption[];
                Name: "Exemption";
                Nullable: false;
            };
            complianceLinks: {
                Shape: ComplianceLink[];
                Name: "ComplianceLink";
                Nullable: false;
            };
            documentRequests: {
                Shape: DocumentRequest[];
                Name: "DocumentRequest";
                Nullable: false;
            };
            compliance: {
                Shape: HolderCompliance[];
                Name: "HolderCompliance";
                Nullable: false;
            };
        };
    };
    WebhookEndpoint: {
        Name: "WebhookEndpoint";
        Shape: WebhookEndpoint;
        Include: Prisma.WebhookEndpointInclude;
        Select: Prisma.WebhookEndpointSelect;
        OrderBy: Prisma.WebhookEndpointOrderByWithRelationInput;
        WhereUnique: Prisma.WebhookEndpointWhereUniqueInput;
        Where: Prisma.WebhookEndpointWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "secrets" | "deliveries";
        ListRelations: "secrets" | "deliveries";
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            secrets: {
                Shape: WebhookSecret[];
                Name: "WebhookSecret";
                Nullable: false;
            };
            deliveries: {
                Shape: WebhookDelivery[];
                Name: "WebhookDelivery";
                Nullable: false;
            };
        };
    };
    WebhookSecret: {
        Name: "WebhookSecret";
        Shape: WebhookSecret;
        Include: Prisma.WebhookSecretInclude;
        Select: Prisma.WebhookSecretSelect;
        OrderBy: Prisma.WebhookSecretOrderByWithRelationInput;
        WhereUnique: Prisma.WebhookSecretWhereUniqueInput;
        Where: Prisma.WebhookSecretWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "endpoint";
        ListRelations: never;
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            endpoint: {
                Shape: WebhookEndpoint;
                Name: "WebhookEndpoint";
                Nullable: false;
            };
        };
    };
    WebhookOutbox: {
        Name: "WebhookOutbox";
        Shape: WebhookOutbox;
        Include: never;
        Select: Prisma.WebhookOutboxSelect;
        OrderBy: Prisma.WebhookOutboxOrderByWithRelationInput;
        WhereUnique: Prisma.WebhookOutboxWhereUniqueInput;
        Where: Prisma.WebhookOutboxWhereInput;
        Create: {};
        Update: {};
        RelationName: never;
        ListRelations: never;
        Relations: {};
    };
    WebhookMessage: {
        Name: "WebhookMessage";
        Shape: WebhookMessage;
        Include: Prisma.WebhookMessageInclude;
        Select: Prisma.WebhookMessageSelect;
        OrderBy: Prisma.WebhookMessageOrderByWithRelationInput;
        WhereUnique: Prisma.WebhookMessageWhereUniqueInput;
        Where: Prisma.WebhookMessageWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "deliveries";
        ListRelations: "deliveries";
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            deliveries: {
                Shape: WebhookDelivery[];
                Name: "WebhookDelivery";
                Nullable: false;
            };
        };
    };
    WebhookDelivery: {
        Name: "WebhookDelivery";
        Shape: WebhookDelivery;
        Include: Prisma.WebhookDeliveryInclude;
        Select: Prisma.WebhookDeliverySelect;
        OrderBy: Prisma.WebhookDeliveryOrderByWithRelationInput;
        WhereUnique: Prisma.WebhookDeliveryWhereUniqueInput;
        Where: Prisma.WebhookDeliveryWhereInput;
        Create: {};
        Update: {};
        RelationName: "organization" | "message" | "endpoint" | "tries";
        ListRelations: "tries";
        Relations: {
            organization: {
                Shape: Organization;
                Name: "Organization";
                Nullable: false;
            };
            message: {
                Shape: WebhookMessage;
                Name: "WebhookMessage";
                Nullable: false;
            };
            endpoint: {
                Shape: WebhookEndpoint;
                Name: "WebhookEndpoint";
                Nullable: false;
            };
            tries: {
                Shape: WebhookAttempt[];
                Name: "WebhookAttempt";
                Nullable: false;
            };
        };
    };
    WebhookAttempt: {
        Name: "WebhookAttempt";
        Shape: WebhookAttempt;
        Include: Prisma.WebhookAttemptInclude;
        Select: Prisma.WebhookAttemptSelect;
        OrderBy: Prisma.WebhookAttemptOrderByWithRelationInput;
        WhereUnique: Prisma.WebhookAttemptWhereUniqueInput;
        Where: Prisma.WebhookAttemptWhereInput;
        Create: {};
        Update: {};
        RelationName: "delivery";
        ListRelations: never;
        Relations: {
            delivery: {
                Shape: WebhookDelivery;
                Name: "WebhookDelivery";
                Nullable: false;
            };
        };
    };
}
export function getDatamodel(): PothosPrismaDatamodel { return JSON.parse("{\"datamodel\":{\"models\":{\"Attachment\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The attachment's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"itemId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"name\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"File name.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"contentType\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Media type.\"},{\"type\":\"BigInt\",\"kind\":\"scalar\",\"name\":\"contentLength\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Size in bytes.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"sourceUrl\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The URL that the file was or can be fetched from.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"position\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the attachment was created.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AttachmentToOrganization\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"Team\",\"kind\":\"object\",\"name\":\"team\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AttachmentToTeam\",\"relationFromFields\":[\"teamId\"],\"isUpdatedAt\":false},{\"type\":\"ExpirationItem\",\"kind\":\"object\",\"name\":\"item\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AttachmentToExpirationItem\",\"relationFromFields\":[\"itemId\"],\"isUpdatedAt\":false},{\"type\":\"AttachmentContent\",\"kind\":\"object\",\"name\":\"content\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AttachmentToAttachmentContent\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"UploadNotification\",\"kind\":\"object\",\"name\":\"uploadNotifications\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AttachmentToUploadNotification\",\"relationFromFields\":[],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"A file attached to an item.\"},\"AttachmentContent\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"attachmentId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":true,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"binEntryId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Bytes\",\"kind\":\"scalar\",\"name\":\"content\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The bytes, if they are in the database.\"},{\"type\":\"StoreKind\",\"kind\":\"enum\",\"name\":\"store\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The store outside the database that has the bytes, and their key there. A copy shares its original's key.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"objectKey\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"objectSize\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Size in bytes of what a store has.\"},{\"type\":\"Bytes\",\"kind\":\"scalar\",\"name\":\"digest\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"SHA-256 of the bytes as they were stored. Null for files of older versions, until `files check` has read them.\"},{\"type\":\"Attachment\",\"kind\":\"object\",\"name\":\"attachment\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AttachmentToAttachmentContent\",\"relationFromFields\":[\"attachmentId\"],\"isUpdatedAt\":false},{\"type\":\"BinEntry\",\"kind\":\"object\",\"name\":\"binEntry\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AttachmentContentToBinEntry\",\"relationFromFields\":[\"binEntryId\"],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"Where an attachment's bytes are, in a table of their own so that no list ever reads them. While the attachment is in\\nthe bin, they stay where they are and belong to the bin's entry: no byte is copied to delete a file or to restore it.\"},\"BinEntry\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The entry's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspace of the deleted record. It may be gone as well.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"typeId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"recordId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The deleted record's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"name\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The name of the deleted record.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"deletedById\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"deletedAt\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the record was deleted.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"expiresAt\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the record will be deleted permanently.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"BinEntryToOrganization\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"deletedBy\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"BinEntryToUser\",\"relationFromFields\":[\"deletedById\"],\"isUpdatedAt\":false},{\"type\":\"BinRow\",\"kind\":\"object\",\"name\":\"rows\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"BinEntryToBinRow\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"AttachmentContent\",\"kind\":\"object\",\"name\":\"files\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AttachmentContentToBinEntry\",\"relationFromFields\":[],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"A deleted record in the bin. It can be restored until it expires.\"},\"BinRow\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"entryId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"position\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"tableName\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"pointer\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The column that pointed at what was deleted, of a row that is still there.\"},{\"type\":\"Json\",\"kind\":\"scalar\",\"name\":\"row\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"BinEntry\",\"kind\":\"object\",\"name\":\"entry\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"BinEntryToBinRow\",\"relationFromFields\":[\"entryId\"],\"isUpdatedAt\":false}],\"primaryKey\":{\"name\":null,\"fields\":[\"entryId\",\"position\"]},\"uniqueIndexes\":[],\"documentation\":\"A row that was deleted with a record, or one that pointed at it. `row` has the names and values of its columns as they were.\"},\"CalendarFeed\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The calendar's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"userId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"accessTokenId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The access token with which it was created, and with which it ends. Null for one of a person who signed in.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"expiresAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it ends, if it was created with an issuer's token: when that token expires.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"name\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The calendar's name.\"},{\"type\":\"Bytes\",\"kind\":\"scalar\",\"name\":\"hash\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":true,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Role\",\"kind\":\"enum\",\"name\":\"role\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The most that the calendar may show: the role with which it was created.\"},{\"type\":\"Json\",\"kind\":\"scalar\",\"name\":\"teams\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspaces that the issuer's token named with which it was created; null if it named none.\"},{\"type\":\"Json\",\"kind\":\"scalar\",\"name\":\"filter\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Which items the calendar has, as a filter of the list of items.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"alarms\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Days before an item's date at which an alarm rings.\"},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"showDetails\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Whether the calendar has the details of items.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"lastUsedAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When a program last read the calendar, to the minute.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the calendar was created.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CalendarFeedToOrganization\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"user\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CalendarFeedToUser\",\"relationFromFields\":[\"userId\"],\"isUpdatedAt\":false},{\"type\":\"AccessToken\",\"kind\":\"object\",\"name\":\"accessToken\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AccessTokenToCalendarFeed\",\"relationFromFields\":[\"accessTokenId\"],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"A calendar that a calendar program subscribes to by a secret address.\"},\"Category\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The document type's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspace the document type belongs to.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"name\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The document type's name, unique in its workspace.\"},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"isActive\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"True if the document type is in use.\"},{\"type\":\"Json\",\"kind\":\"scalar\",\"name\":\"customFields\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"reminderPolicyId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The reminder policy of its items. If null, they follow the workspace's.\"},{\"type\":\"Json\",\"kind\":\"scalar\",\"name\":\"autoRenew\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the document type was created.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the document type was last changed.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CategoryToOrganization\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"Team\",\"kind\":\"object\",\"name\":\"team\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CategoryToTeam\",\"relationFromFields\":[\"teamId\"],\"isUpdatedAt\":false},{\"type\":\"ExpirationItem\",\"kind\":\"object\",\"name\":\"items\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CategoryToExpirationItem\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"MailText\",\"kind\":\"object\",\"name\":\"mailTexts\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CategoryToMailText\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"DocumentRequest\",\"kind\":\"object\",\"name\":\"documentRequests\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CategoryToDocumentRequest\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"ReminderPolicy\",\"kind\":\"object\",\"name\":\"reminderPolicy\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CategoryToReminderPolicy\",\"relationFromFields\":[\"reminderPolicyId\"],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"A document type. It says what kind of thing expires and which custom fields its items have.\"},\"Channel\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The channel's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspace that it belongs to.\"},{\"type\":\"ChannelKind\",\"kind\":\"enum\",\"name\":\"kind\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The service.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"name\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The channel's name, which reminder policies show.\"},{\"type\":\"Bytes\",\"kind\":\"scalar\",\"name\":\"sealedUrl\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The address that messages are sent to, encrypted. It is a secret for most services.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"host\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The host of the address.\"},{\"type\":\"Bytes\",\"kind\":\"scalar\",\"name\":\"sealedToken\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The token of ntfy or Gotify, encrypted.\"},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"tellsFailures\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"True if it hears of mails that could not be delivered.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"quietFrom\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Local time from which messages wait, `HH:mm`.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"quietTo\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Local time at which waiting messages are sent, `HH:mm`.\"},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"isActive\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"True if it is in use.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"lastOkAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When a message was last accepted.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"lastError\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Why the last message was not accepted. Null if it was.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it was created.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it was last changed.\"},{\"type\":\"Team\",\"kind\":\"object\",\"name\":\"team\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ChannelToTeam\",\"relationFromFields\":[\"teamId\"],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"A chat channel that gets reminders.\"},\"Company\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The company's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspace the company belongs to.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"name\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The company's name.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"doingBusinessAs\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The name that the company trades under.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"phone\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Telephone number.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"website\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Website.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"addressLine1\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"First line of the address.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"addressLine2\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Second line of the address.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"city\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"City.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"province\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Province or state.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"postalCode\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Postal code.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"countryId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Country, as an id from the caller's own list. Stored as sent.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"taxId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Tax number, unique in the organization.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"taxTypeId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Kind of tax number. Stored as sent.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"typeId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Type, as an id from the caller's own list. Stored as sent.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"primaryContactId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The company's main contact.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"assignedToId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"isArchived\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"True if the company is archived.\"},{\"type\":\"Json\",\"kind\":\"scalar\",\"name\":\"customFields\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the company was created.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the company was last changed.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CompanyToOrganization\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"Team\",\"kind\":\"object\",\"name\":\"team\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CompanyToTeam\",\"relationFromFields\":[\"teamId\"],\"isUpdatedAt\":false},{\"type\":\"Contact\",\"kind\":\"object\",\"name\":\"primaryContact\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CompanyToContact\",\"relationFromFields\":[\"primaryContactId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"assignedTo\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CompanyToUser\",\"relationFromFields\":[\"assignedToId\"],\"isUpdatedAt\":false},{\"type\":\"ItemHolder\",\"kind\":\"object\",\"name\":\"papers\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CompanyToItemHolder\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Exemption\",\"kind\":\"object\",\"name\":\"exemptions\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CompanyToExemption\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"ComplianceLink\",\"kind\":\"object\",\"name\":\"complianceLinks\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CompanyToComplianceLink\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"DocumentRequest\",\"kind\":\"object\",\"name\":\"documentRequests\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CompanyToDocumentRequest\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"HolderCompliance\",\"kind\":\"object\",\"name\":\"compliance\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CompanyToHolderCompliance\",\"relationFromFields\":[],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"A company.\"},\"Requirement\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The requirement's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspace whose records must meet the requirement.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"name\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The requirement's name.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"holderKind\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The kind of records that must meet it. It is `vehicle`, `contact`, `company` or `location`.\"},{\"type\":\"Json\",\"kind\":\"scalar\",\"name\":\"applies\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"anyOf\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The ids of the document types, one of which is enough.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"validDays\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The number of days for which an item must be valid after the day that is asked about.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"graceDays\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The number of days, from the day a record is created, for which the requirement may be unmet.\"},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"needsFile\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"True if an item counts only with a file.\"},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"allowNoDate\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"True if an item without an expiration date counts. It never expires.\"},{\"type\":\"AskedPerson\",\"kind\":\"enum\",\"name\":\"askTo\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Who is asked for a document by itself when it is missing or expires soon. Null if nobody is.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"askDaysBefore\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The number of days before a document expires from which the next one is asked for.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"askEveryDays\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The number of days after which whoever is asked gets the mail again.\"},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"isActive\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"True if the requirement is in use.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the requirement was created.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the requirement was last changed.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToRequirement\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"Team\",\"kind\":\"object\",\"name\":\"team\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"RequirementToTeam\",\"relationFromFields\":[\"teamId\"],\"isUpdatedAt\":false},{\"type\":\"Exemption\",\"kind\":\"object\",\"name\":\"exemptions\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExemptionToRequirement\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"AskedPaper\",\"kind\":\"object\",\"name\":\"asked\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AskedPaperToRequirement\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"DocumentRequest\",\"kind\":\"object\",\"name\":\"requests\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"DocumentRequestToRequirement\",\"relationFromFields\":[],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"What vehicles, people, companies or locations must have: an item of one of some document types.\"},\"Exemption\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The exemption's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"requirementId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"holderKind\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The kind of the record that is exempt.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"vehicleId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"contactId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"companyId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"locationId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"from\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The first day of the exemption.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"until\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The last day of the exemption. Null if it has no end.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"endedOn\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The day on which the exemption was ended, from which it no longer holds.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"reason\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Why the record is exempt.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"userId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"endedById\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the exemption was created.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the exemption was created or ended.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExemptionToOrganization\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"Team\",\"kind\":\"object\",\"name\":\"team\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExemptionToTeam\",\"relationFromFields\":[\"teamId\"],\"isUpdatedAt\":false},{\"type\":\"Requirement\",\"kind\":\"object\",\"name\":\"requirement\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExemptionToRequirement\",\"relationFromFields\":[\"requirementId\"],\"isUpdatedAt\":false},{\"type\":\"Vehicle\",\"kind\":\"object\",\"name\":\"vehicle\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExemptionToVehicle\",\"relationFromFields\":[\"vehicleId\"],\"isUpdatedAt\":false},{\"type\":\"Contact\",\"kind\":\"object\",\"name\":\"contact\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ContactToExemption\",\"relationFromFields\":[\"contactId\"],\"isUpdatedAt\":false},{\"type\":\"Company\",\"kind\":\"object\",\"name\":\"company\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CompanyToExemption\",\"relationFromFields\":[\"companyId\"],\"isUpdatedAt\":false},{\"type\":\"Location\",\"kind\":\"object\",\"name\":\"location\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExemptionToLocation\",\"relationFromFields\":[\"locationId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"user\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"exemptions\",\"relationFromFields\":[\"userId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"endedBy\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"endedExemptions\",\"relationFromFields\":[\"endedById\"],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"A time for which a record need not meet a requirement.\"},\"HolderCompliance\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The id of the entry in the list.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"HolderKind\",\"kind\":\"enum\",\"name\":\"kind\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"holderId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"vehicleId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"contactId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"companyId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"locationId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"name\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"What the record is called.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"placeId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Where the record is. Null for companies.\"},{\"type\":\"HolderState\",\"kind\":\"enum\",\"name\":\"state\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"until\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The last day on which it is not yet non-compliant, if nothing changes. Null if it is already, or never will be.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"urgency\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Its place among others, the worst first: by state, then by the day until which it holds.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"changesAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the next day begins on which the state of a requirement differs, or those who watch it are told.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"gapIds\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The requirements that are not met.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"lackingIds\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Those of them that make it non-compliant.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"appliedIds\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The requirements that apply. NULL in rows that an older version has evaluated.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"warnedDays\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"How many days before `until` those who watch it were last told. Null if they were not told yet.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the state last changed.\"},{\"type\":\"Vehicle\",\"kind\":\"object\",\"name\":\"vehicle\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"HolderComplianceToVehicle\",\"relationFromFields\":[\"vehicleId\"],\"isUpdatedAt\":false},{\"type\":\"Contact\",\"kind\":\"object\",\"name\":\"contact\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ContactToHolderCompliance\",\"relationFromFields\":[\"contactId\"],\"isUpdatedAt\":false},{\"type\":\"Company\",\"kind\":\"object\",\"name\":\"company\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CompanyToHolderCompliance\",\"relationFromFields\":[\"companyId\"],\"isUpdatedAt\":false},{\"type\":\"Location\",\"kind\":\"object\",\"name\":\"location\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"HolderComplianceToLocation\",\"relationFromFields\":[\"locationId\"],\"isUpdatedAt\":false},{\"type\":\"ComplianceNotice\",\"kind\":\"object\",\"name\":\"notices\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ComplianceNoticeToHolderCompliance\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"AskedPaper\",\"kind\":\"object\",\"name\":\"asked\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AskedPaperToHolderCompliance\",\"relationFromFields\":[],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[{\"name\":null,\"fields\":[\"kind\",\"holderId\"]}],\"documentation\":\"What was last found out about the compliance of a record, for lists. A row belongs to each record of a workspace that\\nrequires something of its kind. Asking about one record computes it anew.\"},\"ComplianceTurn\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"HolderKind\",\"kind\":\"enum\",\"name\":\"kind\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"holderId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"after\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The last record of the kind that was evaluated.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"requestedAt\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"dueAt\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it is next tried. It is later than the request after a failure.\"}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"A record whose compliance may have changed; or, without an id, all of a kind in a workspace. Rows are added only, so\\nthat writers never wait.\"},\"ComplianceLink\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The link's id. It is not secret.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"name\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"What tells it from other links of the record, such as where the sticker is.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"holderKind\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The kind of the record that it shows.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"vehicleId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"contactId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"companyId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"locationId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Bytes\",\"kind\":\"scalar\",\"name\":\"hash\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":true,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"SHA-256 of the secret.\"},{\"type\":\"Bytes\",\"kind\":\"scalar\",\"name\":\"sealedSecret\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The secret, encrypted with the gateway's key.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"uses\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"How often its page was shown. It is counted a moment later.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"lastUsedAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When its page was last shown. Null if it never was.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"userId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"revokedAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it was revoked. Null while it works.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"revokedById\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the link was created.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the link was created or revoked. Uses do not count.\"},{\"type\":\"Team\",\"kind\":\"object\",\"name\":\"team\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ComplianceLinkToTeam\",\"relationFromFields\":[\"teamId\"],\"isUpdatedAt\":false},{\"type\":\"Vehicle\",\"kind\":\"object\",\"name\":\"vehicle\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ComplianceLinkToVehicle\",\"relationFromFields\":[\"vehicleId\"],\"isUpdatedAt\":false},{\"type\":\"Contact\",\"kind\":\"object\",\"name\":\"contact\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ComplianceLinkToContact\",\"relationFromFields\":[\"contactId\"],\"isUpdatedAt\":false},{\"type\":\"Company\",\"kind\":\"object\",\"name\":\"company\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CompanyToComplianceLink\",\"relationFromFields\":[\"companyId\"],\"isUpdatedAt\":false},{\"type\":\"Location\",\"kind\":\"object\",\"name\":\"location\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ComplianceLinkToLocation\",\"relationFromFields\":[\"locationId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"user\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"complianceLinks\",\"relationFromFields\":[\"userId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"revokedBy\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"revokedComplianceLinks\",\"relationFromFields\":[\"revokedById\"],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"An address that shows the compliance of a record to whoever has it, as a sticker with a QR code does. Only the hash of\\nits secret finds it; the secret itself is kept encrypted, so that the sticker can be printed again.\"},\"ComplianceNotice\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"watchId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"complianceId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"days\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"In how many days the record will be non-compliant; 0 if it is.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"until\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The last day before that. Null if it is non-compliant.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"requirementIds\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The requirements that are not met, or will not be.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"dueAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When its mail is planned. Null once it is.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"deliveryId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The mail that tells of it.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Watch\",\"kind\":\"object\",\"name\":\"watch\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ComplianceNoticeToWatch\",\"relationFromFields\":[\"watchId\"],\"isUpdatedAt\":false},{\"type\":\"HolderCompliance\",\"kind\":\"object\",\"name\":\"compliance\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ComplianceNoticeToHolderCompliance\",\"relationFromFields\":[\"complianceId\"],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[{\"name\":null,\"fields\":[\"watchId\",\"complianceId\",\"days\",\"until\"]}],\"documentation\":\"Something that whoever made a watch is told once: a record is non-compliant, or soon will be.\"},\"AskedPaper\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"requirementId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"complianceId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"dedupeKey\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The item and its date, or that there is none.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"dueAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it is its turn. Null once one that expires was asked for; one that is missing is asked for again.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Requirement\",\"kind\":\"object\",\"name\":\"requirement\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AskedPaperToRequirement\",\"relationFromFields\":[\"requirementId\"],\"isUpdatedAt\":false},{\"type\":\"HolderCompliance\",\"kind\":\"object\",\"name\":\"compliance\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AskedPaperToHolderCompliance\",\"relationFromFields\":[\"complianceId\"],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[{\"name\":null,\"fields\":[\"requirementId\",\"complianceId\",\"dedupeKey\"]}],\"documentation\":\"A paper that a requirement asks for by itself: one that is missing, or expires soon.\"},\"Contact\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The contact's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspace the contact belongs to.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"name\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The contact's name.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"email\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"E-mail address, unique in the organization.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"timezone\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"IANA time zone.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"mobile\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Mobile telephone number.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"phone\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Telephone number.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"assignedToId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"typeId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The contact's type.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"contactId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The contact's id in the caller's own system. Any text is allowed.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"locationId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The location where the contact works.\"},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"isActive\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"True if the contact is in use.\"},{\"type\":\"Json\",\"kind\":\"scalar\",\"name\":\"customFields\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the contact was created.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the contact was last changed.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ContactToOrganization\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"Team\",\"kind\":\"object\",\"name\":\"team\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ContactToTeam\",\"relationFromFields\":[\"teamId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"assignedTo\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ContactToUser\",\"relationFromFields\":[\"assignedToId\"],\"isUpdatedAt\":false},{\"type\":\"ContactType\",\"kind\":\"object\",\"name\":\"type\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ContactToContactType\",\"relationFromFields\":[\"typeId\"],\"isUpdatedAt\":false},{\"type\":\"Location\",\"kind\":\"object\",\"name\":\"location\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ContactToLocation\",\"relationFromFields\":[\"locationId\"],\"isUpdatedAt\":false},{\"type\":\"ExpirationItem\",\"kind\":\"object\",\"name\":\"mainOf\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ContactToExpirationItem\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"ExpirationItemContact\",\"kind\":\"object\",\"name\":\"items\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ContactToExpirationItemContact\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"ItemHolder\",\"kind\":\"object\",\"name\":\"papers\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ContactToItemHolder\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Exemption\",\"kind\":\"object\",\"name\":\"exemptions\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ContactToExemption\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"ComplianceLink\",\"kind\":\"object\",\"name\":\"complianceLinks\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ComplianceLinkToContact\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"DocumentRequest\",\"kind\":\"object\",\"name\":\"requestsAbout\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"requestsAbout\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"DocumentRequest\",\"kind\":\"object\",\"name\":\"requestsTo\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"requestsTo\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"HolderCompliance\",\"kind\":\"object\",\"name\":\"compliance\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ContactToHolderCompliance\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Company\",\"kind\":\"object\",\"name\":\"companies\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CompanyToContact\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Vehicle\",\"kind\":\"object\",\"name\":\"vehicles\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ContactToVehicle\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Acknowledgement\",\"kind\":\"object\",\"name\":\"acknowledgements\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AcknowledgementToContact\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Watch\",\"kind\":\"object\",\"name\":\"watches\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ContactToWatch\",\"relationFromFields\":[],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"A person who is reminded of items or responsible for them.\"},\"ContactType\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The contact type's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"name\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The contact type's name, unique in the organization.\"},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"isActive\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"True if the contact type is in use.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the contact type was created.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the contact type was last changed.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ContactTypeToOrganization\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"Team\",\"kind\":\"object\",\"name\":\"team\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ContactTypeToTeam\",\"relationFromFields\":[\"teamId\"],\"isUpdatedAt\":false},{\"type\":\"Contact\",\"kind\":\"object\",\"name\":\"contacts\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ContactToContactType\",\"relationFromFields\":[],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"A kind of contact.\"},\"RecipientSetting\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"recipientKey\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"`mail:` and the folded address.\"},{\"type\":\"RecipientMode\",\"kind\":\"enum\",\"name\":\"mode\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"weekday\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Day of a weekly digest: 1 Monday to 7 Sunday.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"digestTime\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Local time of a digest, `HH:mm`.\"},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"allIsWell\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Whether a mail comes each week even if nothing is due.\"},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"whatIsMissing\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"True if a mail comes each week that says which records lack something they must have, if any do.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"language\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"mutedUntil\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToRecipientSetting\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false}],\"primaryKey\":{\"name\":null,\"fields\":[\"organizationId\",\"recipientKey\"]},\"uniqueIndexes\":[],\"documentation\":\"What a recipient has chosen, by their key.\"},\"Suppression\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The suppression's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"addressKey\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The address, in normalized form.\"},{\"type\":\"SuppressionScope\",\"kind\":\"enum\",\"name\":\"scope\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Which mails are not sent to the address.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"scopeId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The document type or item that it is about; none for all.\"},{\"type\":\"SuppressionReason\",\"kind\":\"enum\",\"name\":\"reason\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Why mails to the address were stopped.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"until\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the suppression ends. Null means never.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it was created.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToSuppression\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"An address that gets no mails.\"},\"Delivery\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The delivery's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspace that it belongs to.\"},{\"type\":\"DeliveryKind\",\"kind\":\"enum\",\"name\":\"kind\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"How it is sent.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"dedupeKey\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"What makes a repeat one.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"subjectKind\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"What it is about: `item`, `digest` (several items), `allIsWell`, `invitation`, `signInLink`, `webhookDisabled`,\\n`documentRequest` or `mention`.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"subjectId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Json\",\"kind\":\"scalar\",\"name\":\"payload\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"channelId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The chat channel that it is sent to, for `CHAT`.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"address\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The address or endpoint that it is sent to.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"homeTeamId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspace of the contact whose address it is, if that is another one.\"},{\"type\":\"DeliveryState\",\"kind\":\"enum\",\"name\":\"state\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The state of the delivery.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"attempts\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The number of attempts to send it.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"dueAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The earliest time of the next attempt. Null once it is settled.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"firstTriedAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"lastError\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"errorCode\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Code of the mail server's last refusal, as `mailFailures` has it.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"statusCode\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The status code of the server's last refusal.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"messageId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The message's id, the same for every attempt.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"settledAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it was sent, cancelled or given up.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it was queued.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the record was last changed.\"},{\"type\":\"Team\",\"kind\":\"object\",\"name\":\"team\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"DeliveryToTeam\",\"relationFromFields\":[\"teamId\"],\"isUpdatedAt\":false},{\"type\":\"DocumentRequest\",\"kind\":\"object\",\"name\":\"documentRequests\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"DeliveryToDocumentRequest\",\"relationFromFields\":[],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[{\"name\":null,\"fields\":[\"organizationId\",\"dedupeKey\"]}],\"documentation\":\"A message that the gateway sends, such as a mail with a reminder.\"},\"DocumentRequest\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The request's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"categoryId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The document type that is asked for.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"itemId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The item that the document renews. Once a document without one was accepted, the item that it became.\"},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"renews\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"True if the document renews an item. It becomes a new one otherwise.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"itemDate\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The expiration date of the item when the document was asked for.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"holderKind\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The kind of the record whose document it is. Null if none was named.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"vehicleId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"contactId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"companyId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"locationId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"requirementId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"isRequired\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"True if a requirement needs the document: it asks for it by itself, or what a record lacks was asked for.\"},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"isReminded\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"True if a reminder asked for it, in its own mail.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"everyDays\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Days between its mails. If null, the usual ones.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"recipientId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"email\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The address that is asked, if it was typed. Null if a contact is asked.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"language\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The language of the mails and the page. If null, that of the recipient, else of the organization.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"message\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"What the recipient is told.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"dueOn\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The day by which the document is needed.\"},{\"type\":\"DocumentRequestState\",\"kind\":\"enum\",\"name\":\"state\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"How far it has come.\"},{\"type\":\"DocumentRequestEnding\",\"kind\":\"enum\",\"name\":\"ending\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Why it ended without an answer. Null if it did not.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"declinedReason\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Why the last answer was sent back, as the recipient is told.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"heldItemId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"answer\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"What the recipient wrote.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"statedDate\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The expiration date that the recipient stated. Nothing is done with it unseen.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"linkId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"deliveryId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"userId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"settledById\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"sentAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the first mail was sent.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"openedAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the page of its link was first opened by a person.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"receivedAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the last answer was received.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"settledAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it was accepted or ended.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the document was asked for.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the request last changed.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"DocumentRequestToOrganization\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"Team\",\"kind\":\"object\",\"name\":\"team\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"DocumentRequestToTeam\",\"relationFromFields\":[\"teamId\"],\"isUpdatedAt\":false},{\"type\":\"Category\",\"kind\":\"object\",\"name\":\"category\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CategoryToDocumentRequest\",\"relationFromFields\":[\"categoryId\"],\"isUpdatedAt\":false},{\"type\":\"ExpirationItem\",\"kind\":\"object\",\"name\":\"item\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"requests\",\"relationFromFields\":[\"itemId\"],\"isUpdatedAt\":false},{\"type\":\"ExpirationItem\",\"kind\":\"object\",\"name\":\"heldItem\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"heldRequests\",\"relationFromFields\":[\"heldItemId\"],\"isUpdatedAt\":false},{\"type\":\"Vehicle\",\"kind\":\"object\",\"name\":\"vehicle\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"DocumentRequestToVehicle\",\"relationFromFields\":[\"vehicleId\"],\"isUpdatedAt\":false},{\"type\":\"Contact\",\"kind\":\"object\",\"name\":\"contact\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"requestsAbout\",\"relationFromFields\":[\"contactId\"],\"isUpdatedAt\":false},{\"type\":\"Company\",\"kind\":\"object\",\"name\":\"company\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CompanyToDocumentRequest\",\"relationFromFields\":[\"companyId\"],\"isUpdatedAt\":false},{\"type\":\"Location\",\"kind\":\"object\",\"name\":\"location\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"DocumentRequestToLocation\",\"relationFromFields\":[\"locationId\"],\"isUpdatedAt\":false},{\"type\":\"Requirement\",\"kind\":\"object\",\"name\":\"requirement\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"DocumentRequestToRequirement\",\"relationFromFields\":[\"requirementId\"],\"isUpdatedAt\":false},{\"type\":\"Contact\",\"kind\":\"object\",\"name\":\"recipient\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"requestsTo\",\"relationFromFields\":[\"recipientId\"],\"isUpdatedAt\":false},{\"type\":\"DocumentRequestLink\",\"kind\":\"object\",\"name\":\"link\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"DocumentRequestToDocumentRequestLink\",\"relationFromFields\":[\"linkId\"],\"isUpdatedAt\":false},{\"type\":\"Delivery\",\"kind\":\"object\",\"name\":\"delivery\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"DeliveryToDocumentRequest\",\"relationFromFields\":[\"deliveryId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"user\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"documentRequests\",\"relationFromFields\":[\"userId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"settledBy\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"settledDocumentRequests\",\"relationFromFields\":[\"settledById\"],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"Somebody is asked for a document, by a link in a mail.\"},\"DocumentRequestLink\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"recipientKey\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"`mail:` and the folded address.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"round\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Number of the secret. The next one ends the one before it.\"},{\"type\":\"Bytes\",\"kind\":\"scalar\",\"name\":\"hash\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":true,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"SHA-256 of the secret. Null until a mail contains it.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"expiresAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the secret ends.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"mails\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Mails since it was last asked for something new.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"nextMailAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the next mail is due. Null if there is none.\"},{\"type\":\"Team\",\"kind\":\"object\",\"name\":\"team\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"DocumentRequestLinkToTeam\",\"relationFromFields\":[\"teamId\"],\"isUpdatedAt\":false},{\"type\":\"DocumentRequest\",\"kind\":\"object\",\"name\":\"requests\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"DocumentRequestToDocumentRequestLink\",\"relationFromFields\":[],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[{\"name\":null,\"fields\":[\"teamId\",\"recipientKey\"]}],\"documentation\":\"The link with which one recipient answers the requests of a workspace, and when the next mail with it is due. Only the\\nhash of its secret is stored; the secret follows from the gateway's key.\"},\"EventLog\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The event's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspace that it happened in. It may be gone: the events of a deleted workspace stay, for admins to read.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"typeId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The kind of event.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"description\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"What happened, in a sentence.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"details\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The changed fields before and after the change, as JSON text.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"userId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"userName\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The acting user's name at the time, so that the log stays true when the user is renamed, and can be searched.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it happened.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"EventLogToOrganization\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"user\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"EventLogToUser\",\"relationFromFields\":[\"userId\"],\"isUpdatedAt\":false},{\"type\":\"EventLogEntity\",\"kind\":\"object\",\"name\":\"entities\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"EventLogToEventLogEntity\",\"relationFromFields\":[],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"An event: what happened to a record, when, and who did it. It is written in the same transaction as the change.\"},\"EventLogEntity\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"eventId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"entityId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"typeId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"position\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"EventLog\",\"kind\":\"object\",\"name\":\"event\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"EventLogToEventLogEntity\",\"relationFromFields\":[\"eventId\"],\"isUpdatedAt\":false}],\"primaryKey\":{\"name\":null,\"fields\":[\"eventId\",\"typeId\",\"entityId\"]},\"uniqueIndexes\":[],\"documentation\":\"A record that an event is about. It may be gone, so nothing but its id and kind is known here.\"},\"ExpirationItem\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The item's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspace the item belongs to.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"name\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The item's name.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"expirationDate\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The day the item expires. Null only for an item filed from a scan without a date.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"timeOfDay\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The local time at which reminders are sent, `HH:mm`.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"details\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Free text.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"categoryId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"assignedToId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"contactId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The item's main contact.\"},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"isActive\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"True if the item is in use. An item that is not in use is archived.\"},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"isMissing\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"True if the item's document is required but absent.\"},{\"type\":\"Json\",\"kind\":\"scalar\",\"name\":\"customFields\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"reminderPolicyId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The item's own reminder policy. If null, the item follows that of its document type or workspace.\"},{\"type\":\"ReminderMode\",\"kind\":\"enum\",\"name\":\"reminderMode\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Whether reminders for the item are sent.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"notifyOn\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The day from which the item is `NOTIFYING`, which is the day of the first step of its policy.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"noticeDate\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The last day to give notice, for what ends only if notice was given in time.\"},{\"type\":\"Json\",\"kind\":\"scalar\",\"name\":\"noticeRule\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"renewUntil\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The last day to which the item is renewed automatically. Then it is archived instead.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"renewalsLeft\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"How often the item is still renewed. It counts down with each renewal; at 0 the item is archived instead.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the item was created.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the item was last changed.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExpirationItemToOrganization\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"Team\",\"kind\":\"object\",\"name\":\"team\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExpirationItemToTeam\",\"relationFromFields\":[\"teamId\"],\"isUpdatedAt\":false},{\"type\":\"Category\",\"kind\":\"object\",\"name\":\"category\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CategoryToExpirationItem\",\"relationFromFields\":[\"categoryId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"assignedTo\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExpirationItemToUser\",\"relationFromFields\":[\"assignedToId\"],\"isUpdatedAt\":false},{\"type\":\"Contact\",\"kind\":\"object\",\"name\":\"contact\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ContactToExpirationItem\",\"relationFromFields\":[\"contactId\"],\"isUpdatedAt\":false},{\"type\":\"ExpirationItemContact\",\"kind\":\"object\",\"name\":\"contacts\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExpirationItemToExpirationItemContact\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"ExpirationItemLocation\",\"kind\":\"object\",\"name\":\"locations\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExpirationItemToExpirationItemLocation\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"ExpirationItemTag\",\"kind\":\"object\",\"name\":\"tags\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExpirationItemToExpirationItemTag\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"ItemHolder\",\"kind\":\"object\",\"name\":\"holders\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExpirationItemToItemHolder\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Attachment\",\"kind\":\"object\",\"name\":\"attachments\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AttachmentToExpirationItem\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Renewal\",\"kind\":\"object\",\"name\":\"renewals\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExpirationItemToRenewal\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"UploadNotification\",\"kind\":\"object\",\"name\":\"uploadNotifications\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExpirationItemToUploadNotification\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"DocumentRequest\",\"kind\":\"object\",\"name\":\"requests\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"requests\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"DocumentRequest\",\"kind\":\"object\",\"name\":\"heldRequests\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"heldRequests\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"ReminderPolicy\",\"kind\":\"object\",\"name\":\"reminderPolicy\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExpirationItemToReminderPolicy\",\"relationFromFields\":[\"reminderPolicyId\"],\"isUpdatedAt\":false},{\"type\":\"Acknowledgement\",\"kind\":\"object\",\"name\":\"acknowledgements\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AcknowledgementToExpirationItem\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Postponement\",\"kind\":\"object\",\"name\":\"postponements\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExpirationItemToPostponement\",\"relationFromFields\":[],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"A thing that expires, such as a document, a licence or a vehicle's papers.\"},\"ExpirationItemContact\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"itemId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"contactId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"position\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"ExpirationItem\",\"kind\":\"object\",\"name\":\"item\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExpirationItemToExpirationItemContact\",\"relationFromFields\":[\"itemId\"],\"isUpdatedAt\":false},{\"type\":\"Contact\",\"kind\":\"object\",\"name\":\"contact\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ContactToExpirationItemContact\",\"relationFromFields\":[\"contactId\"],\"isUpdatedAt\":false}],\"primaryKey\":{\"name\":null,\"fields\":[\"itemId\",\"contactId\"]},\"uniqueIndexes\":[],\"documentation\":\"That a contact belongs to an item, in the order sent.\"},\"ExpirationItemLocation\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"itemId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"locationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"position\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"ExpirationItem\",\"kind\":\"object\",\"name\":\"item\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExpirationItemToExpirationItemLocation\",\"relationFromFields\":[\"itemId\"],\"isUpdatedAt\":false},{\"type\":\"Location\",\"kind\":\"object\",\"name\":\"location\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExpirationItemLocationToLocation\",\"relationFromFields\":[\"locationId\"],\"isUpdatedAt\":false}],\"primaryKey\":{\"name\":null,\"fields\":[\"itemId\",\"locationId\"]},\"uniqueIndexes\":[],\"documentation\":\"That a location belongs to an item, in the order sent.\"},\"ExpirationItemTag\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"itemId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"tagId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"position\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"ExpirationItem\",\"kind\":\"object\",\"name\":\"item\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExpirationItemToExpirationItemTag\",\"relationFromFields\":[\"itemId\"],\"isUpdatedAt\":false},{\"type\":\"Tag\",\"kind\":\"object\",\"name\":\"tag\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExpirationItemTagToTag\",\"relationFromFields\":[\"tagId\"],\"isUpdatedAt\":false}],\"primaryKey\":{\"name\":null,\"fields\":[\"itemId\",\"tagId\"]},\"uniqueIndexes\":[],\"documentation\":\"That a tag belongs to an item, in the order sent.\"},\"ItemHolder\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"itemId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"HolderKind\",\"kind\":\"enum\",\"name\":\"kind\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"holderId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"vehicleId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"contactId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"companyId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"locationId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"position\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"ExpirationItem\",\"kind\":\"object\",\"name\":\"item\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExpirationItemToItemHolder\",\"relationFromFields\":[\"itemId\"],\"isUpdatedAt\":false},{\"type\":\"Vehicle\",\"kind\":\"object\",\"name\":\"vehicle\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ItemHolderToVehicle\",\"relationFromFields\":[\"vehicleId\"],\"isUpdatedAt\":false},{\"type\":\"Contact\",\"kind\":\"object\",\"name\":\"contact\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ContactToItemHolder\",\"relationFromFields\":[\"contactId\"],\"isUpdatedAt\":false},{\"type\":\"Company\",\"kind\":\"object\",\"name\":\"company\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CompanyToItemHolder\",\"relationFromFields\":[\"companyId\"],\"isUpdatedAt\":false},{\"type\":\"Location\",\"kind\":\"object\",\"name\":\"location\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ItemHolderToLocation\",\"relationFromFields\":[\"locationId\"],\"isUpdatedAt\":false}],\"primaryKey\":{\"name\":null,\"fields\":[\"itemId\",\"kind\",\"holderId\"]},\"uniqueIndexes\":[],\"documentation\":\"That an item is a paper of a vehicle, a person, a company or a location, in the order sent.\"},\"Renewal\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The renewal's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"itemId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"previousDate\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The expiration date before the renewal.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"expirationDate\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The expiration date after the renewal.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"details\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The details given for the renewal.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"userId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the item was renewed.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToRenewal\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"Team\",\"kind\":\"object\",\"name\":\"team\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"RenewalToTeam\",\"relationFromFields\":[\"teamId\"],\"isUpdatedAt\":false},{\"type\":\"ExpirationItem\",\"kind\":\"object\",\"name\":\"item\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExpirationItemToRenewal\",\"relationFromFields\":[\"itemId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"user\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"RenewalToUser\",\"relationFromFields\":[\"userId\"],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"A renewal of an item, with the dates before and after it.\"},\"IdempotencyKey\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"callerId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The token, or the user of an issuer's token.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"key\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The key, as the caller wrote it.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Bytes\",\"kind\":\"scalar\",\"name\":\"sealed\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"What was asked and answered, encrypted.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"IdempotencyKeyToOrganization\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false}],\"primaryKey\":{\"name\":null,\"fields\":[\"callerId\",\"key\"]},\"uniqueIndexes\":[],\"documentation\":\"A request that was answered under an `Idempotency-Key`, with what it was answered. It is committed with what the\\nrequest wrote.\"},\"Import\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The import's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"userId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Role\",\"kind\":\"enum\",\"name\":\"role\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The most that it may do: the role with which it was created.\"},{\"type\":\"Json\",\"kind\":\"scalar\",\"name\":\"teams\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspaces that the issuer's token named with which it was created; null if it named none.\"},{\"type\":\"ImportKind\",\"kind\":\"enum\",\"name\":\"kind\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Kind of the records.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspace that a whole workspace is imported into. No foreign key, because an import must not keep a workspace from\\nbeing deleted.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"fileName\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The file's name.\"},{\"type\":\"Bytes\",\"kind\":\"scalar\",\"name\":\"hash\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The hash of the file and the options.\"},{\"type\":\"Json\",\"kind\":\"scalar\",\"name\":\"options\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"How to read the file, and what to do with its rows.\"},{\"type\":\"Bytes\",\"kind\":\"scalar\",\"name\":\"content\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The file; of a ZIP file, only a text that identifies it.\"},{\"type\":\"Bytes\",\"kind\":\"scalar\",\"name\":\"sheetRows\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The rows of a workbook's sheet as lines of JSON, once it has been read.\"},{\"type\":\"BigInt\",\"kind\":\"scalar\",\"name\":\"contentLength\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Size of the ZIP file in bytes. Null if there is none, or if it is no longer kept.\"},{\"type\":\"ImportState\",\"kind\":\"enum\",\"name\":\"state\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"How far it has come.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"error\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Why it failed.\"},{\"type\":\"Json\",\"kind\":\"scalar\",\"name\":\"preview\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"What running it would do.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"rowCount\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Rows of the file.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"doneCount\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Rows processed so far.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"createdCount\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Records created.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"updatedCount\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Records updated.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"unchangedCount\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Records that already were as the file says.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"failedCount\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Rows that could not be imported.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"undoUntil\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Until when it can be taken back. Null if nothing was written, or if it cannot be.\"},{\"type\":\"Json\",\"kind\":\"scalar\",\"name\":\"undo\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"How far it has been taken back, and what stayed.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"attempts\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The number of attempts to go on with it.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"dueAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When a worker may take it up next, or the end of the lease of the worker that has it. Null if there is nothing to do.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it was created.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it last changed.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ImportToOrganization\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"user\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ImportToUser\",\"relationFromFields\":[\"userId\"],\"isUpdatedAt\":false},{\"type\":\"ImportBatch\",\"kind\":\"object\",\"name\":\"batches\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ImportToImportBatch\",\"relationFromFields\":[],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"A CSV file whose rows become records, or a ZIP file with a whole workspace. The bytes of ZIP files are in\\n`archive_parts`, a table without a model.\"},\"ImportBatch\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"importId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"number\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Json\",\"kind\":\"scalar\",\"name\":\"results\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The outcome of each row: what was done, the record's id, and the error.\"},{\"type\":\"Json\",\"kind\":\"scalar\",\"name\":\"former\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The values that records had before, as long as the import can be taken back.\"},{\"type\":\"Import\",\"kind\":\"object\",\"name\":\"import\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ImportToImportBatch\",\"relationFromFields\":[\"importId\"],\"isUpdatedAt\":false}],\"primaryKey\":{\"name\":null,\"fields\":[\"importId\",\"number\"]},\"uniqueIndexes\":[],\"documentation\":\"The outcome of some rows of an import. It is written together with the records.\"},\"Location\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The location's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspace the location belongs to.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"parentLocationId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The location that contains this one.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"name\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The location's name, unique under its parent in the organization.\"},{\"type\":\"Json\",\"kind\":\"scalar\",\"name\":\"customFields\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the location was created.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the location was last changed.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"LocationToOrganization\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"Team\",\"kind\":\"object\",\"name\":\"team\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"LocationToTeam\",\"relationFromFields\":[\"teamId\"],\"isUpdatedAt\":false},{\"type\":\"Location\",\"kind\":\"object\",\"name\":\"parentLocation\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"children\",\"relationFromFields\":[\"parentLocationId\"],\"isUpdatedAt\":false},{\"type\":\"Location\",\"kind\":\"object\",\"name\":\"children\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"children\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Contact\",\"kind\":\"object\",\"name\":\"contacts\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ContactToLocation\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Vehicle\",\"kind\":\"object\",\"name\":\"vehicles\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"LocationToVehicle\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"ExpirationItemLocation\",\"kind\":\"object\",\"name\":\"items\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExpirationItemLocationToLocation\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"ItemHolder\",\"kind\":\"object\",\"name\":\"papers\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ItemHolderToLocation\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Exemption\",\"kind\":\"object\",\"name\":\"exemptions\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExemptionToLocation\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"ComplianceLink\",\"kind\":\"object\",\"name\":\"complianceLinks\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ComplianceLinkToLocation\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"DocumentRequest\",\"kind\":\"object\",\"name\":\"documentRequests\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"DocumentRequestToLocation\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"HolderCompliance\",\"kind\":\"object\",\"name\":\"compliance\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"HolderComplianceToLocation\",\"relationFromFields\":[],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"A place. Places form a tree.\"},\"MailText\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The mail text's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspace that the mail text belongs to. That of an organization applies to all workspaces nevertheless.\"},{\"type\":\"MailTextScope\",\"kind\":\"enum\",\"name\":\"scope\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"What the mail text is for. It cannot be changed.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"categoryId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The document type that the mail text is for, if it is for one. It cannot be changed.\"},{\"type\":\"Json\",\"kind\":\"scalar\",\"name\":\"words\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"senderName\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The sender's name in mails. The address stays that of the mail server's settings.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"replyTo\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The address that replies to the mails go to.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"logo\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The picture above the text of mails, as a data URL.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the mail text was created.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the mail text was last changed.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"MailTextToOrganization\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"Team\",\"kind\":\"object\",\"name\":\"team\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"MailTextToTeam\",\"relationFromFields\":[\"teamId\"],\"isUpdatedAt\":false},{\"type\":\"Category\",\"kind\":\"object\",\"name\":\"category\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CategoryToMailText\",\"relationFromFields\":[\"categoryId\"],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"Own words for mails that remind of items. The words of a document type precede those of its workspace, and these\\nthose of the organization.\"},\"Note\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The note's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspace the note belongs to.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"name\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The note's title.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"body\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The note as sanitized HTML.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"bodyText\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The note as plain text.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"authorId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The user who wrote the note. Null if unknown.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the note was created.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the note was last changed.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"NoteToOrganization\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"Team\",\"kind\":\"object\",\"name\":\"team\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"NoteToTeam\",\"relationFromFields\":[\"teamId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"author\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"NoteToUser\",\"relationFromFields\":[\"authorId\"],\"isUpdatedAt\":false},{\"type\":\"NoteRelation\",\"kind\":\"object\",\"name\":\"relations\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"NoteToNoteRelation\",\"relationFromFields\":[],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"A note about other records.\"},\"NoteRelation\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"noteId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"entityId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"entityType\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"position\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Note\",\"kind\":\"object\",\"name\":\"note\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"NoteToNoteRelation\",\"relationFromFields\":[\"noteId\"],\"isUpdatedAt\":false}],\"primaryKey\":{\"name\":null,\"fields\":[\"noteId\",\"entityType\",\"entityId\"]},\"uniqueIndexes\":[],\"documentation\":\"That a note is about a record; `entityType` says of which kind.\"},\"Organization\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The organization's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"name\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The organization's name.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"timezone\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"IANA time zone of new workspaces.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"locale\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The language of users who have not chosen one: `de`, `en`, `es`, `fr`, `it` or `nl`.\"},{\"type\":\"SignInWay\",\"kind\":\"enum\",\"name\":\"signInWays\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The ways in which people may sign in.\"},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"secondFactorRequired\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"True if everybody needs a second factor.\"},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"issuerAlone\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"True if people with a subject at an issuer sign in only there.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"frozenAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Since when it can be read but not changed, because it is being moved. Null for all others.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"copiedFrom\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The file that it was copied from, while it waits for what has changed since then. Null for all others.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the organization was created.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the organization was last changed.\"},{\"type\":\"Team\",\"kind\":\"object\",\"name\":\"teams\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToTeam\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"users\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToUser\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"AccessToken\",\"kind\":\"object\",\"name\":\"accessTokens\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AccessTokenToOrganization\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Invitation\",\"kind\":\"object\",\"name\":\"invitations\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"InvitationToOrganization\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Category\",\"kind\":\"object\",\"name\":\"categories\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CategoryToOrganization\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Company\",\"kind\":\"object\",\"name\":\"companies\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CompanyToOrganization\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"ContactType\",\"kind\":\"object\",\"name\":\"contactTypes\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ContactTypeToOrganization\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Contact\",\"kind\":\"object\",\"name\":\"contacts\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ContactToOrganization\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"EventLog\",\"kind\":\"object\",\"name\":\"eventLogs\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"EventLogToOrganization\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"ExpirationItem\",\"kind\":\"object\",\"name\":\"expirationItems\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExpirationItemToOrganization\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Attachment\",\"kind\":\"object\",\"name\":\"attachments\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AttachmentToOrganization\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"BinEntry\",\"kind\":\"object\",\"name\":\"binEntries\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"BinEntryToOrganization\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Renewal\",\"kind\":\"object\",\"name\":\"renewals\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToRenewal\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"IdempotencyKey\",\"kind\":\"object\",\"name\":\"idempotencyKeys\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"IdempotencyKeyToOrganization\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Location\",\"kind\":\"object\",\"name\":\"locations\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"LocationToOrganization\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Note\",\"kind\":\"object\",\"name\":\"notes\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"NoteToOrganization\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Tag\",\"kind\":\"object\",\"name\":\"tags\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToTag\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"UploadNotification\",\"kind\":\"object\",\"name\":\"uploadNotifications\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToUploadNotification\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Vehicle\",\"kind\":\"object\",\"name\":\"vehicles\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToVehicle\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"ReminderPolicy\",\"kind\":\"object\",\"name\":\"reminderPolicies\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToReminderPolicy\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"MailText\",\"kind\":\"object\",\"name\":\"mailTexts\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"MailTextToOrganization\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"RecipientSetting\",\"kind\":\"object\",\"name\":\"recipientSettings\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToRecipientSetting\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Suppression\",\"kind\":\"object\",\"name\":\"suppressions\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToSuppression\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"SignInSession\",\"kind\":\"object\",\"name\":\"sessions\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToSignInSession\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Password\",\"kind\":\"object\",\"name\":\"passwords\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToPassword\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"CalendarFeed\",\"kind\":\"object\",\"name\":\"calendarFeeds\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CalendarFeedToOrganization\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"SavedView\",\"kind\":\"object\",\"name\":\"savedViews\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToSavedView\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Import\",\"kind\":\"object\",\"name\":\"imports\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ImportToOrganization\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"TeamExport\",\"kind\":\"object\",\"name\":\"teamExports\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToTeamExport\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"ResumableUpload\",\"kind\":\"object\",\"name\":\"resumableUploads\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToResumableUpload\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Passkey\",\"kind\":\"object\",\"name\":\"passkeys\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToPasskey\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"TotpSecret\",\"kind\":\"object\",\"name\":\"totpSecrets\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToTotpSecret\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"RecoveryCode\",\"kind\":\"object\",\"name\":\"recoveryCodes\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToRecoveryCode\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"SignInLink\",\"kind\":\"object\",\"name\":\"signInLinks\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToSignInLink\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"WebhookEndpoint\",\"kind\":\"object\",\"name\":\"webhookEndpoints\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToWebhookEndpoint\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"WebhookSecret\",\"kind\":\"object\",\"name\":\"webhookSecrets\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToWebhookSecret\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"WebhookMessage\",\"kind\":\"object\",\"name\":\"webhookMessages\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToWebhookMessage\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"WebhookDelivery\",\"kind\":\"object\",\"name\":\"webhookDeliveries\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToWebhookDelivery\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Requirement\",\"kind\":\"object\",\"name\":\"requirements\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToRequirement\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Exemption\",\"kind\":\"object\",\"name\":\"exemptions\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExemptionToOrganization\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"DocumentRequest\",\"kind\":\"object\",\"name\":\"documentRequests\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"DocumentRequestToOrganization\",\"relationFromFields\":[],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"A tenant. Its data is invisible to all other organizations.\"},\"Team\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The workspace's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"name\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspace's name.\"},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"isActive\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"True if the workspace is in use.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"timezone\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The IANA time zone that defines \\\"today\\\" for the status of items.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"reminderDays\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Number of days before the expiration date when the workspace's reminder policy begins.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"reminderPolicyId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspace's reminder policy, for items and document types without one. It is created with the workspace.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"workingDays\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The working days, from 1 (Monday) to 7 (Sunday).\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"reminderFallbackAddress\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The address that gets reminders without any other recipient. If null, the organization's admins get them.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the workspace was created.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the workspace was last changed.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToTeam\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"Membership\",\"kind\":\"object\",\"name\":\"memberships\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"MembershipToTeam\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"defaultOf\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"TeamToUser\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Category\",\"kind\":\"object\",\"name\":\"categories\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CategoryToTeam\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Company\",\"kind\":\"object\",\"name\":\"companies\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CompanyToTeam\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"ContactType\",\"kind\":\"object\",\"name\":\"contactTypes\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ContactTypeToTeam\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Contact\",\"kind\":\"object\",\"name\":\"contacts\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ContactToTeam\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"ExpirationItem\",\"kind\":\"object\",\"name\":\"expirationItems\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExpirationItemToTeam\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Attachment\",\"kind\":\"object\",\"name\":\"attachments\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AttachmentToTeam\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Renewal\",\"kind\":\"object\",\"name\":\"renewals\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"RenewalToTeam\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Location\",\"kind\":\"object\",\"name\":\"locations\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"LocationToTeam\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Note\",\"kind\":\"object\",\"name\":\"notes\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"NoteToTeam\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Tag\",\"kind\":\"object\",\"name\":\"tags\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"TagToTeam\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"UploadNotification\",\"kind\":\"object\",\"name\":\"uploadNotifications\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"TeamToUploadNotification\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Vehicle\",\"kind\":\"object\",\"name\":\"vehicles\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"TeamToVehicle\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"ReminderPolicy\",\"kind\":\"object\",\"name\":\"reminderPolicy\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ReminderPolicyToTeam\",\"relationFromFields\":[\"reminderPolicyId\"],\"isUpdatedAt\":false},{\"type\":\"Reminder\",\"kind\":\"object\",\"name\":\"reminders\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ReminderToTeam\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Acknowledgement\",\"kind\":\"object\",\"name\":\"acknowledgements\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AcknowledgementToTeam\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Postponement\",\"kind\":\"object\",\"name\":\"postponements\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"PostponementToTeam\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Channel\",\"kind\":\"object\",\"name\":\"channels\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ChannelToTeam\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"SavedView\",\"kind\":\"object\",\"name\":\"savedViews\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"SavedViewToTeam\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Watch\",\"kind\":\"object\",\"name\":\"watches\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"TeamToWatch\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"MailText\",\"kind\":\"object\",\"name\":\"mailTexts\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"MailTextToTeam\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Delivery\",\"kind\":\"object\",\"name\":\"deliveries\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"DeliveryToTeam\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Requirement\",\"kind\":\"object\",\"name\":\"requirements\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"RequirementToTeam\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Exemption\",\"kind\":\"object\",\"name\":\"exemptions\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExemptionToTeam\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"DocumentRequest\",\"kind\":\"object\",\"name\":\"documentRequests\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"DocumentRequestToTeam\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"DocumentRequestLink\",\"kind\":\"object\",\"name\":\"documentRequestLinks\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"DocumentRequestLinkToTeam\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"ComplianceLink\",\"kind\":\"object\",\"name\":\"complianceLinks\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ComplianceLinkToTeam\",\"relationFromFields\":[],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"A workspace (team): a part of an organization. Its members can see and write its records.\"},\"ReminderPolicy\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The policy's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspace the policy belongs to.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"name\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The policy's name, unique in its workspace.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"timeOfDay\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The local time at which reminders are sent, `HH:mm`, for items without a time of their own.\"},{\"type\":\"DeliverOn\",\"kind\":\"enum\",\"name\":\"deliverOn\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Whether reminders are sent on working days only. If so, those for other days are moved, but never closer to the\\ndate.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"leadDays\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The number of days from the first step to the expiration date, or -1 if no step is before or on the date.\"},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"contactsMayRenew\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Whether contacts who are reminded may renew items, by a link in the mail.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the policy was created.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the policy was last changed.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToReminderPolicy\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"ReminderStep\",\"kind\":\"object\",\"name\":\"steps\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ReminderPolicyToReminderStep\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Team\",\"kind\":\"object\",\"name\":\"teams\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ReminderPolicyToTeam\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Category\",\"kind\":\"object\",\"name\":\"categories\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CategoryToReminderPolicy\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"ExpirationItem\",\"kind\":\"object\",\"name\":\"items\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExpirationItemToReminderPolicy\",\"relationFromFields\":[],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"Defines when people are reminded of an item. An item follows its own policy, else that of its document type, else\\nthat of its workspace.\"},\"ReminderStep\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The step's id. It stays the same as long as the step's offset does.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"policyId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"position\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"ItemDate\",\"kind\":\"enum\",\"name\":\"about\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The date that the step counts from. If null, it counts from each date of an item.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"offsetDays\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Days from the date; before it if negative.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"repeatEveryDays\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The number of days between repetitions, until acknowledged. If null, it is not repeated.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"repeatCount\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"How often it is repeated at most; 365 when null.\"},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"onlyUnacknowledged\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Whether the step is left out once somebody has acknowledged the date.\"},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"asksForDocument\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Whether its mails have a link by which the recipient sends the new document.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"recipients\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Who is told, by their part in the item.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"addresses\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Further addresses, for `ADDRESSES` among the recipients.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"channelIds\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"ReminderPolicy\",\"kind\":\"object\",\"name\":\"policy\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ReminderPolicyToReminderStep\",\"relationFromFields\":[\"policyId\"],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[{\"name\":null,\"fields\":[\"policyId\",\"about\",\"offsetDays\",\"onlyUnacknowledged\"]}],\"documentation\":\"One step of a policy: how many days before or after a date whom to tell.\"},\"ReminderMark\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"through\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"All slots up to this moment are decided.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"nextAt\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When there is something to decide again.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"pageAfter\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The last item of the page that was decided, while a window of slots takes several pages.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"pageUntil\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The end of the window whose pages are being decided.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"dayThrough\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The last day, by the workspace's clock, on which it was noted what had become due and expired. From now on when null.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"dayNextAt\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the next day begins.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"wellAfter\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The last person whose weekly mail was queued, while the day takes several pages of people.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"failingSince\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Since when deciding fails in this workspace, try after try. Null while it works.\"}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"How far a workspace is evaluated: what was due up to `through` is decided. Triggers make and delete it with\\nthe workspace.\"},\"ReminderCheck\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"itemId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"quiet\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Whether what has passed is only noted, as for an import.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"requestedAt\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"An item that changed so that slots may have passed already. Rows are added only, so that writers never wait.\"},\"ReminderJob\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"ReminderJobKind\",\"kind\":\"enum\",\"name\":\"kind\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"policyId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"after\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The last item that was worked on.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"Work on all items of a workspace, done in batches.\"},\"Reminder\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The reminder's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspace of its item.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"itemId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The item. It may be gone: the reminder stays.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"itemName\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The item's name when it was decided.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"stepKey\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The step of the policy, or what else it was decided by.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"stepId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The step whose recipients it is for. Older rows have it in `step_key` alone.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"recipientKey\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The only recipient, who has postponed an earlier one.\"},{\"type\":\"ItemDate\",\"kind\":\"enum\",\"name\":\"about\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Which date of the item it is about.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"expirationDate\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The date that it is about.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"occurrence\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The number of the repetition, starting at 0.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"slot\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it was due.\"},{\"type\":\"ReminderState\",\"kind\":\"enum\",\"name\":\"state\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"What happened to it.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"reason\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Why it was skipped or cancelled.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"decidedAt\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it was decided.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the record was last changed.\"},{\"type\":\"Team\",\"kind\":\"object\",\"name\":\"team\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ReminderToTeam\",\"relationFromFields\":[\"teamId\"],\"isUpdatedAt\":false},{\"type\":\"ReminderTarget\",\"kind\":\"object\",\"name\":\"targets\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ReminderToReminderTarget\",\"relationFromFields\":[],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[{\"name\":null,\"fields\":[\"itemId\",\"stepKey\",\"about\",\"expirationDate\",\"occurrence\"]}],\"documentation\":\"The decision to remind people of an item's date. There is one for each step, date and occurrence.\"},\"ReminderTarget\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"reminderId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"recipientKey\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Whom it is for: `mail:` and the folded address, or `channel:` and an id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"channelId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"address\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"homeTeamId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspace of the contact whose address it is, if that is another one than the reminder's.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"reason\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Why the recipient is not told; told when null.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"deliveryId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The delivery that tells them. It may be gone, so nothing but its id is known here.\"},{\"type\":\"Reminder\",\"kind\":\"object\",\"name\":\"reminder\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ReminderToReminderTarget\",\"relationFromFields\":[\"reminderId\"],\"isUpdatedAt\":false}],\"primaryKey\":{\"name\":null,\"fields\":[\"reminderId\",\"recipientKey\"]},\"uniqueIndexes\":[],\"documentation\":\"Somebody who is told by a reminder.\"},\"Acknowledgement\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The acknowledgement's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"itemId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"ItemDate\",\"kind\":\"enum\",\"name\":\"about\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Which date of the item was acknowledged.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"expirationDate\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The date that was acknowledged.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"userId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"contactId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"AcknowledgedVia\",\"kind\":\"enum\",\"name\":\"via\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"How it came.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"note\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The note left with the acknowledgement.\"},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"silence\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"True if all reminders for the date stop, not only repeated and escalated ones.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"snoozeUntil\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The day the acknowledgement ends and reminders resume.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it was acknowledged.\"},{\"type\":\"Team\",\"kind\":\"object\",\"name\":\"team\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AcknowledgementToTeam\",\"relationFromFields\":[\"teamId\"],\"isUpdatedAt\":false},{\"type\":\"ExpirationItem\",\"kind\":\"object\",\"name\":\"item\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AcknowledgementToExpirationItem\",\"relationFromFields\":[\"itemId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"user\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AcknowledgementToUser\",\"relationFromFields\":[\"userId\"],\"isUpdatedAt\":false},{\"type\":\"Contact\",\"kind\":\"object\",\"name\":\"contact\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AcknowledgementToContact\",\"relationFromFields\":[\"contactId\"],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[{\"name\":null,\"fields\":[\"itemId\",\"about\",\"expirationDate\"]}],\"documentation\":\"Records that somebody has taken note of an item's date. It stops repeated and escalated reminders.\"},\"Postponement\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The postponement's id. It is the key of the reminder on its day.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"itemId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"ItemDate\",\"kind\":\"enum\",\"name\":\"about\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Which date of the item the reminder was about.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"expirationDate\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The date that the reminder was about.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"recipientKey\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Whom it is for: `mail:` and the folded address.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"until\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The day of the next reminder.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it was postponed.\"},{\"type\":\"Team\",\"kind\":\"object\",\"name\":\"team\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"PostponementToTeam\",\"relationFromFields\":[\"teamId\"],\"isUpdatedAt\":false},{\"type\":\"ExpirationItem\",\"kind\":\"object\",\"name\":\"item\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExpirationItemToPostponement\",\"relationFromFields\":[\"itemId\"],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[{\"name\":null,\"fields\":[\"itemId\",\"about\",\"expirationDate\",\"recipientKey\"]}],\"documentation\":\"Leaves one recipient in peace about an item's date until a day, on which they are reminded again.\"},\"Watch\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The watch's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspace whose items are watched.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"name\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The watch's name.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"userId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The user to notify, if it is a user.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"contactId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The contact to notify, if it is a contact.\"},{\"type\":\"Json\",\"kind\":\"scalar\",\"name\":\"filter\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Json\",\"kind\":\"scalar\",\"name\":\"holders\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"isActive\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"True if the watch is in use.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the watch was created.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the watch was last changed.\"},{\"type\":\"Team\",\"kind\":\"object\",\"name\":\"team\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"TeamToWatch\",\"relationFromFields\":[\"teamId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"user\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"UserToWatch\",\"relationFromFields\":[\"userId\"],\"isUpdatedAt\":false},{\"type\":\"Contact\",\"kind\":\"object\",\"name\":\"contact\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ContactToWatch\",\"relationFromFields\":[\"contactId\"],\"isUpdatedAt\":false},{\"type\":\"ComplianceNotice\",\"kind\":\"object\",\"name\":\"notices\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ComplianceNoticeToWatch\",\"relationFromFields\":[],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"Notifies a user or a contact of items that they are not otherwise involved in.\"},\"ResumableUpload\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The upload's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspace that it is for. No foreign key, because a file on its way must not keep a workspace from being deleted.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"userId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Who sends it, and the only one who sees it.\"},{\"type\":\"BigInt\",\"kind\":\"scalar\",\"name\":\"contentLength\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Size of the whole file in bytes.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"uploadMetadata\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"What the sender tells about it, as `Upload-Metadata` has it.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"expiresAt\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it is deleted, if nobody has used it until then.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it was created.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToResumableUpload\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"user\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ResumableUploadToUser\",\"relationFromFields\":[\"userId\"],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"A file that comes in pieces. Its bytes are in `archive_parts`, a table without a model.\"},\"SavedView\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The view's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"userId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"name\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The view's name.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"list\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The list that it is a view of, such as `items`.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"columns\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The names of the shown columns, in order. Empty for the list's own.\"},{\"type\":\"Json\",\"kind\":\"scalar\",\"name\":\"filters\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"sort\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The column by which the list is ordered, with `-` before it if descending. Null for the list's own order.\"},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"isShared\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"True if others see it, too.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspace that it is shared with. Null for the whole organization.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the view was created.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the view was last changed.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToSavedView\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"user\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"SavedViewToUser\",\"relationFromFields\":[\"userId\"],\"isUpdatedAt\":false},{\"type\":\"Team\",\"kind\":\"object\",\"name\":\"team\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"SavedViewToTeam\",\"relationFromFields\":[\"teamId\"],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[{\"name\":null,\"fields\":[\"userId\",\"list\",\"name\"]}],\"documentation\":\"A list of records as somebody has chosen its columns, filters and order, under a name.\"},\"SignInSession\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The session's id. It is not secret.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"userId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Bytes\",\"kind\":\"scalar\",\"name\":\"hash\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":true,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Bytes\",\"kind\":\"scalar\",\"name\":\"deviceHash\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The SHA-256 of the cookie that stays in the browser after signing out. It tells devices apart.\"},{\"type\":\"SignInWay\",\"kind\":\"enum\",\"name\":\"method\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"How its user signed in.\"},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"isPending\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"True if the second factor is still missing. Such a session can be used for nothing else.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"secondFactorAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When its user proved a second factor.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"confirmedAt\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When its user last proved any factor, by signing in or by confirming a change.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"address\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The network address from which its user signed in.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"agent\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The browser, as it described itself (`User-Agent`).\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"lastUsedAt\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it was last used, to the minute.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"expiresAt\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it ends at the latest, however much it is used.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"revokedAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it was ended.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When its user signed in.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToSignInSession\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"user\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"SignInSessionToUser\",\"relationFromFields\":[\"userId\"],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"A browser in which somebody is signed in. Only the SHA-256 of its cookie is kept.\"},\"Password\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"userId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"phc\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The hash in the PHC string format, so that its parameters can be raised.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"changedAt\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToPassword\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"user\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"PasswordToUser\",\"relationFromFields\":[\"userId\"],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"A user's password, as a hash with its parameters.\"},\"Passkey\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The passkey's id here.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"userId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Bytes\",\"kind\":\"scalar\",\"name\":\"credentialId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":true,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The passkey's id at its authenticator.\"},{\"type\":\"Bytes\",\"kind\":\"scalar\",\"name\":\"publicKey\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"BigInt\",\"kind\":\"scalar\",\"name\":\"counter\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"How often it was used, by its own count. Many always say 0.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"transports\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"How browsers reach its authenticator, such as `internal` or `usb`.\"},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"isBackedUp\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"True if it is stored in more than one place.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"name\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"What its user calls it.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"lastUsedAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it was last used to sign in.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it was added.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToPasskey\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"user\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"PasskeyToUser\",\"relationFromFields\":[\"userId\"],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"A passkey (WebAuthn credential) of a user.\"},\"TotpSecret\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"userId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Bytes\",\"kind\":\"scalar\",\"name\":\"sealed\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"confirmedAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When its first code was entered. Until then it is not a second factor.\"},{\"type\":\"BigInt\",\"kind\":\"scalar\",\"name\":\"lastStep\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The time step of the last code that was accepted. No code works twice.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToTotpSecret\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"user\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"TotpSecretToUser\",\"relationFromFields\":[\"userId\"],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"The secret of a user's authenticator app, encrypted.\"},\"RecoveryCode\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"userId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Bytes\",\"kind\":\"scalar\",\"name\":\"hash\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"usedAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToRecoveryCode\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"user\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"RecoveryCodeToUser\",\"relationFromFields\":[\"userId\"],\"isUpdatedAt\":false}],\"primaryKey\":{\"name\":null,\"fields\":[\"userId\",\"hash\"]},\"uniqueIndexes\":[],\"documentation\":\"A code that replaces the second factor once. Only its hash is kept.\"},\"SignInLink\":{\"fields\":[{\"type\":\"Bytes\",\"kind\":\"scalar\",\"name\":\"hash\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"userId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"SignInPurpose\",\"kind\":\"enum\",\"name\":\"purpose\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"email\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The address that it was sent to by mail. Null for a link made by an administrator.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"expiresAt\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"usedAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToSignInLink\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"user\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"SignInLinkToUser\",\"relationFromFields\":[\"userId\"],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"A link that signs in its user, or lets them choose a new password, once. Only the SHA-256 of its secret is kept.\"},\"Tag\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The tag's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The organization the tag belongs to.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspace the tag belongs to.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"name\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The tag's name, unique in its workspace.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the tag was created.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the tag was last changed.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToTag\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"Team\",\"kind\":\"object\",\"name\":\"team\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"TagToTeam\",\"relationFromFields\":[\"teamId\"],\"isUpdatedAt\":false},{\"type\":\"ExpirationItemTag\",\"kind\":\"object\",\"name\":\"items\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExpirationItemTagToTag\",\"relationFromFields\":[],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"A word that groups items.\"},\"TeamExport\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The export's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspace. No foreign key, because an export must neither keep a workspace from being deleted nor go to the bin\\nwith it.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"userId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Role\",\"kind\":\"enum\",\"name\":\"role\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The most that it may show: the role with which it was created.\"},{\"type\":\"Json\",\"kind\":\"scalar\",\"name\":\"teams\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspaces that the issuer's token named with which it was created; null if it named none.\"},{\"type\":\"TeamExportState\",\"kind\":\"enum\",\"name\":\"state\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"How far it has come.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"error\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Why it failed.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"progress\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"How much of it is written, in percent.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"fileCount\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Attachments that it contains, once they are known.\"},{\"type\":\"BigInt\",\"kind\":\"scalar\",\"name\":\"contentLength\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Size of the ZIP file in bytes; while it is made, of what is written.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"attempts\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The number of attempts to make it.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"dueAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When a worker may take it up next, or the end of the lease of the worker that has it. Null if there is nothing to do.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"expiresAt\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it is deleted.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it was created.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it last changed.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToTeamExport\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"user\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"TeamExportToUser\",\"relationFromFields\":[\"userId\"],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"A workspace as a ZIP file. Its bytes are in `archive_parts`, a table without a model.\"},\"UploadNotification\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The record's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"accessTokenId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"userId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"BigInt\",\"kind\":\"scalar\",\"name\":\"notificationId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The sender's id of the notification.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"action\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"What happened to the file, in the sender's terms.\"},{\"type\":\"BigInt\",\"kind\":\"scalar\",\"name\":\"timestamp\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The sender's time of the event.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"container\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Storage container.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"url\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The URL of the file.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"filename\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"File name.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"client\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The client that sent the file.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"key\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Storage key.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"type\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Media type.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"status\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The sender's status of the file.\"},{\"type\":\"BigInt\",\"kind\":\"scalar\",\"name\":\"size\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Size in bytes.\"},{\"type\":\"Json\",\"kind\":\"scalar\",\"name\":\"uploadTags\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"uploadTagsText\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The file's tags as JSON in a string, for JSON parsers that round numbers.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"dedupeKey\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"What makes a repeat one: the sender's id and action, else the body's hash.\"},{\"type\":\"UploadState\",\"kind\":\"enum\",\"name\":\"state\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The state of the notification.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"error\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Why it could not be filed.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"errorCode\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Code of the reason for which it could not be filed, as `uploadReasons` has it.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"attempts\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The number of attempts in its queue: to file it, to read its text, or to recognize its pictures.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"receivedAt\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it was received.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"filedAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it was filed.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the record was last changed.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"expirationItemId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"attachmentId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"suggestedExpirationDate\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The only expiration date that is suggested: found in the document, or in the file's name.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"suggestedFrom\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The text of the document around that date, or the file's name.\"},{\"type\":\"Json\",\"kind\":\"scalar\",\"name\":\"suggestions\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"What was found in the document, to choose from: at most 20, as `Suggestion` has them.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"unreadCode\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Code of the reason for which its document was not read, or not all of it, as `unreadReasons` has it.\"},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"needsReview\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"True until a person decides, if the item that it was filed under has no date, or another one than is suggested.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"dueAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When a worker may take it up next: a notification with a time is a job of the queue, any other is settled. While\\na worker has it, the end of the worker's lease.\"},{\"type\":\"UploadQueue\",\"kind\":\"enum\",\"name\":\"queue\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The queue in which it waits, or in which it was settled.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToUploadNotification\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"Team\",\"kind\":\"object\",\"name\":\"team\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"TeamToUploadNotification\",\"relationFromFields\":[\"teamId\"],\"isUpdatedAt\":false},{\"type\":\"AccessToken\",\"kind\":\"object\",\"name\":\"accessToken\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AccessTokenToUploadNotification\",\"relationFromFields\":[\"accessTokenId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"user\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"UploadNotificationToUser\",\"relationFromFields\":[\"userId\"],\"isUpdatedAt\":false},{\"type\":\"ExpirationItem\",\"kind\":\"object\",\"name\":\"expirationItem\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExpirationItemToUploadNotification\",\"relationFromFields\":[\"expirationItemId\"],\"isUpdatedAt\":false},{\"type\":\"Attachment\",\"kind\":\"object\",\"name\":\"attachment\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AttachmentToUploadNotification\",\"relationFromFields\":[\"attachmentId\"],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[{\"name\":null,\"fields\":[\"organizationId\",\"dedupeKey\"]}],\"documentation\":\"A message from an upload service that a file was stored, as received.\"},\"User\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The user's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"name\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The user's name.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"email\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The user's e-mail address, unique in the organization.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The user's default workspace, for new records that do not name one.\"},{\"type\":\"Role\",\"kind\":\"enum\",\"name\":\"role\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"What the user may do with an issuer's token that tells of no role; nothing when null.\"},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"isActive\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"True if the user may use the API. Otherwise all their tokens are refused.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"language\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The language of mails to the user. If null, the organization's language.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"timezone\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The user's IANA time zone. If null, each workspace's own time zone applies.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"issuer\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Who vouches for the user: an OpenID Connect issuer, and the name of the user there. Both or neither.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"subject\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the user was created.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the user was last changed.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToUser\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"Team\",\"kind\":\"object\",\"name\":\"team\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"TeamToUser\",\"relationFromFields\":[\"teamId\"],\"isUpdatedAt\":false},{\"type\":\"Membership\",\"kind\":\"object\",\"name\":\"memberships\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"MembershipToUser\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"AccessToken\",\"kind\":\"object\",\"name\":\"accessTokens\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AccessTokenToUser\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"BinEntry\",\"kind\":\"object\",\"name\":\"binEntries\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"BinEntryToUser\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Invitation\",\"kind\":\"object\",\"name\":\"invitation\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"InvitationToUser\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Company\",\"kind\":\"object\",\"name\":\"companies\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CompanyToUser\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Contact\",\"kind\":\"object\",\"name\":\"contacts\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ContactToUser\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"EventLog\",\"kind\":\"object\",\"name\":\"eventLogs\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"EventLogToUser\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"ExpirationItem\",\"kind\":\"object\",\"name\":\"expirationItems\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExpirationItemToUser\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Note\",\"kind\":\"object\",\"name\":\"notes\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"NoteToUser\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Renewal\",\"kind\":\"object\",\"name\":\"renewals\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"RenewalToUser\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"UploadNotification\",\"kind\":\"object\",\"name\":\"uploadNotifications\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"UploadNotificationToUser\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Vehicle\",\"kind\":\"object\",\"name\":\"vehicles\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"UserToVehicle\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Acknowledgement\",\"kind\":\"object\",\"name\":\"acknowledgements\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AcknowledgementToUser\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Watch\",\"kind\":\"object\",\"name\":\"watches\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"UserToWatch\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"SavedView\",\"kind\":\"object\",\"name\":\"savedViews\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"SavedViewToUser\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Exemption\",\"kind\":\"object\",\"name\":\"exemptions\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"exemptions\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Exemption\",\"kind\":\"object\",\"name\":\"endedExemptions\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"endedExemptions\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"ComplianceLink\",\"kind\":\"object\",\"name\":\"complianceLinks\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"complianceLinks\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"ComplianceLink\",\"kind\":\"object\",\"name\":\"revokedComplianceLinks\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"revokedComplianceLinks\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"DocumentRequest\",\"kind\":\"object\",\"name\":\"documentRequests\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"documentRequests\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"DocumentRequest\",\"kind\":\"object\",\"name\":\"settledDocumentRequests\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"settledDocumentRequests\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"SignInSession\",\"kind\":\"object\",\"name\":\"sessions\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"SignInSessionToUser\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Password\",\"kind\":\"object\",\"name\":\"password\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"PasswordToUser\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"CalendarFeed\",\"kind\":\"object\",\"name\":\"calendarFeeds\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"CalendarFeedToUser\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Import\",\"kind\":\"object\",\"name\":\"imports\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ImportToUser\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"TeamExport\",\"kind\":\"object\",\"name\":\"teamExports\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"TeamExportToUser\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"ResumableUpload\",\"kind\":\"object\",\"name\":\"resumableUploads\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ResumableUploadToUser\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Passkey\",\"kind\":\"object\",\"name\":\"passkeys\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"PasskeyToUser\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"TotpSecret\",\"kind\":\"object\",\"name\":\"totpSecret\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"TotpSecretToUser\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"RecoveryCode\",\"kind\":\"object\",\"name\":\"recoveryCodes\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"RecoveryCodeToUser\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"SignInLink\",\"kind\":\"object\",\"name\":\"signInLinks\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"SignInLinkToUser\",\"relationFromFields\":[],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[{\"name\":null,\"fields\":[\"issuer\",\"subject\"]}],\"documentation\":\"A person or service that uses the API in an organization.\"},\"Membership\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"userId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"user\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"MembershipToUser\",\"relationFromFields\":[\"userId\"],\"isUpdatedAt\":false},{\"type\":\"Team\",\"kind\":\"object\",\"name\":\"team\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"MembershipToTeam\",\"relationFromFields\":[\"teamId\"],\"isUpdatedAt\":false}],\"primaryKey\":{\"name\":null,\"fields\":[\"userId\",\"teamId\"]},\"uniqueIndexes\":[],\"documentation\":\"That a user belongs to a workspace.\"},\"Invitation\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"userId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Bytes\",\"kind\":\"scalar\",\"name\":\"hash\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":true,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"expiresAt\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"usedAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When a token was created with it. It creates no other one.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"InvitationToOrganization\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"user\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"InvitationToUser\",\"relationFromFields\":[\"userId\"],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"The one-time link that lets an invited user make their first token. Only the SHA-256 of its secret is kept.\"},\"AccessToken\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The token's id. It is not secret.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"userId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"name\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The purpose of the token, as its creator described it.\"},{\"type\":\"Role\",\"kind\":\"enum\",\"name\":\"role\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"What the token may do.\"},{\"type\":\"Bytes\",\"kind\":\"scalar\",\"name\":\"hash\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":true,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Bytes\",\"kind\":\"scalar\",\"name\":\"signingSecret\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Encrypted secret of a token whose upload notifications must be signed.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"expiresAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the token expires. Null means never.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"lastUsedAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the token was last used, to the minute.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"revokedAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the token was revoked.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the token was created.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the token was last changed. Using it does not count as a change.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AccessTokenToOrganization\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"user\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AccessTokenToUser\",\"relationFromFields\":[\"userId\"],\"isUpdatedAt\":false},{\"type\":\"UploadNotification\",\"kind\":\"object\",\"name\":\"uploadNotifications\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AccessTokenToUploadNotification\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"CalendarFeed\",\"kind\":\"object\",\"name\":\"calendarFeeds\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"AccessTokenToCalendarFeed\",\"relationFromFields\":[],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"An opaque bearer token. Only its SHA-256 is kept: a token has 256 random bits, so a slow hash buys nothing.\"},\"Vehicle\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The vehicle's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspace the vehicle belongs to.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"name\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The vehicle's name.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"vin\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Vehicle identification number, unique in the organization.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"licensePlate\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Licence plate.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"year\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Model year.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"make\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Manufacturer.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"model\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Model.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"trim\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Trim level.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"color\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Colour.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"bodyType\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Body type.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"registrationProvince\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Province or state of registration.\"},{\"type\":\"Float\",\"kind\":\"scalar\",\"name\":\"msrp\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Manufacturer's suggested retail price.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"primaryMeterTypeId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The unit of the primary meter: 1 km, 2 mi, 3 hr. Other values are stored as sent.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"primaryMeterReading\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Reading of the primary meter.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"ownershipId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Who owns the vehicle: 1 owned, 2 leased, 3 rented, 4 customer. Other values are stored as sent.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"statusId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Status, as an id from the caller's own list. Stored as sent.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"folderId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Folder, as an id from the caller's own system. Stored as sent.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"locationId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The location of the vehicle.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"typeId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Type, as an id from the caller's own list. Stored as sent.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"vehicleFuelTypeId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Fuel type, as an id from the caller's own list. Stored as sent.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"assignedToContactId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The contact the vehicle is assigned to.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"assignedToId\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"isArchived\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"True if the vehicle is archived.\"},{\"type\":\"Json\",\"kind\":\"scalar\",\"name\":\"customFields\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the vehicle was created.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the vehicle was last changed.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToVehicle\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"Team\",\"kind\":\"object\",\"name\":\"team\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"TeamToVehicle\",\"relationFromFields\":[\"teamId\"],\"isUpdatedAt\":false},{\"type\":\"Location\",\"kind\":\"object\",\"name\":\"location\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"LocationToVehicle\",\"relationFromFields\":[\"locationId\"],\"isUpdatedAt\":false},{\"type\":\"Contact\",\"kind\":\"object\",\"name\":\"assignedToContact\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ContactToVehicle\",\"relationFromFields\":[\"assignedToContactId\"],\"isUpdatedAt\":false},{\"type\":\"User\",\"kind\":\"object\",\"name\":\"assignedTo\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"UserToVehicle\",\"relationFromFields\":[\"assignedToId\"],\"isUpdatedAt\":false},{\"type\":\"ItemHolder\",\"kind\":\"object\",\"name\":\"papers\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ItemHolderToVehicle\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"Exemption\",\"kind\":\"object\",\"name\":\"exemptions\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ExemptionToVehicle\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"ComplianceLink\",\"kind\":\"object\",\"name\":\"complianceLinks\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"ComplianceLinkToVehicle\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"DocumentRequest\",\"kind\":\"object\",\"name\":\"documentRequests\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"DocumentRequestToVehicle\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"HolderCompliance\",\"kind\":\"object\",\"name\":\"compliance\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"HolderComplianceToVehicle\",\"relationFromFields\":[],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"A vehicle with the data from its papers.\"},\"WebhookEndpoint\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The endpoint's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"name\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The endpoint's name.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"url\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The address that messages are sent to.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"eventTypes\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The types of events that it hears of: `*`, `expiration_item.*` or a whole name.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamIds\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspaces whose events it hears of. Empty for the whole organization.\"},{\"type\":\"WebhookPayload\",\"kind\":\"enum\",\"name\":\"payload\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Whether messages have the whole record.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"categoryIds\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Document types whose items it hears of. Empty for all.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"tagIds\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Tags whose items it hears of. Empty for all.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"statuses\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"States whose items it hears of. Empty for all.\"},{\"type\":\"Bytes\",\"kind\":\"scalar\",\"name\":\"sealedHeaders\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Further headers of its messages, encrypted.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"ratePerSecond\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The most messages per second.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"pacedUntil\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The time up to which its rate is used up.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"slowedUntil\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Until when it gets half of its rate, because it asked for less or was too slow.\"},{\"type\":\"WebhookState\",\"kind\":\"enum\",\"name\":\"state\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Whether messages are sent to it.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"disabledReason\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Why it was disabled.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"failingSince\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Since when all attempts to send to it have failed.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it was created.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it was last changed.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToWebhookEndpoint\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"WebhookSecret\",\"kind\":\"object\",\"name\":\"secrets\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"WebhookEndpointToWebhookSecret\",\"relationFromFields\":[],\"isUpdatedAt\":false},{\"type\":\"WebhookDelivery\",\"kind\":\"object\",\"name\":\"deliveries\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"WebhookDeliveryToWebhookEndpoint\",\"relationFromFields\":[],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"An address of another system that hears of events.\"},\"WebhookSecret\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"endpointId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Bytes\",\"kind\":\"scalar\",\"name\":\"sealed\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"expiresAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it stops signing. Null for the current one.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToWebhookSecret\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"WebhookEndpoint\",\"kind\":\"object\",\"name\":\"endpoint\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"WebhookEndpointToWebhookSecret\",\"relationFromFields\":[\"endpointId\"],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"A secret that signs messages to an endpoint, encrypted.\"},\"WebhookOutbox\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"eventId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"dueAt\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When its messages are made, at the earliest.\"}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"An event that no message was made from yet. The statement that writes the event writes it, too.\"},\"WebhookMessage\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The message's id. Its header `webhook-id` is `msg_` and this id, at every attempt.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"teamId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The workspace of the event.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"eventId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The event that it is about.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"type\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The message's type, such as `vehicle.updated`.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"body\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The body, byte for byte as it is sent.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"occurredAt\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the event happened.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When the message was made.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToWebhookMessage\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"WebhookDelivery\",\"kind\":\"object\",\"name\":\"deliveries\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"WebhookDeliveryToWebhookMessage\",\"relationFromFields\":[],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"A message about an event, for the webhook endpoints that want it in this form.\"},\"WebhookDelivery\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"id\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":true,\"isUpdatedAt\":false,\"documentation\":\"The delivery's id.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"organizationId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"messageId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"endpointId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"WebhookDeliveryState\",\"kind\":\"enum\",\"name\":\"state\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The state of the delivery.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"attempts\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The number of attempts, including those of earlier rounds.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"attemptsBefore\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The attempts of earlier rounds. A replay begins a new one.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"dueAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The time of the next attempt. Null once it is settled.\"},{\"type\":\"Boolean\",\"kind\":\"scalar\",\"name\":\"isClaimed\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"True while a process sends it. The time of the next attempt is then the end of its lease.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"statusCode\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The status of the last answer.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"lastError\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Why the last attempt had no answer.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"settledAt\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it was accepted, given up or cancelled.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"created\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it was queued.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"modified\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":true,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it last changed.\"},{\"type\":\"Organization\",\"kind\":\"object\",\"name\":\"organization\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"OrganizationToWebhookDelivery\",\"relationFromFields\":[\"organizationId\"],\"isUpdatedAt\":false},{\"type\":\"WebhookMessage\",\"kind\":\"object\",\"name\":\"message\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"WebhookDeliveryToWebhookMessage\",\"relationFromFields\":[\"messageId\"],\"isUpdatedAt\":false},{\"type\":\"WebhookEndpoint\",\"kind\":\"object\",\"name\":\"endpoint\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"WebhookDeliveryToWebhookEndpoint\",\"relationFromFields\":[\"endpointId\"],\"isUpdatedAt\":false},{\"type\":\"WebhookAttempt\",\"kind\":\"object\",\"name\":\"tries\",\"isRequired\":true,\"isList\":true,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"WebhookAttemptToWebhookDelivery\",\"relationFromFields\":[],\"isUpdatedAt\":false}],\"primaryKey\":null,\"uniqueIndexes\":[],\"documentation\":\"A message to one webhook endpoint.\"},\"WebhookAttempt\":{\"fields\":[{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"deliveryId\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"number\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The number of the attempt, from 1.\"},{\"type\":\"DateTime\",\"kind\":\"scalar\",\"name\":\"at\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"When it began.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"statusCode\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The status of the answer. Null if there was none.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"error\",\"isRequired\":false,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"What prevented an answer.\"},{\"type\":\"Int\",\"kind\":\"scalar\",\"name\":\"ms\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"Milliseconds until the answer or the failure.\"},{\"type\":\"String\",\"kind\":\"scalar\",\"name\":\"responseStart\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"isUpdatedAt\":false,\"documentation\":\"The beginning of the answer's body.\"},{\"type\":\"WebhookDelivery\",\"kind\":\"object\",\"name\":\"delivery\",\"isRequired\":true,\"isList\":false,\"hasDefaultValue\":false,\"isUnique\":false,\"isId\":false,\"relationName\":\"WebhookAttemptToWebhookDelivery\",\"relationFromFields\":[\"deliveryId\"],\"isUpdatedAt\":false}],\"primaryKey\":{\"name\":null,\"fields\":[\"deliveryId\",\"number\"]},\"uniqueIndexes\":[],\"documentation\":\"An attempt to send a message to a webhook endpoint.\"}}}}"); }