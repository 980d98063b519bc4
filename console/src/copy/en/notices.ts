/** What people with a role are told about by email. */
export const noticesCopy = {
  title: 'Notices',
  lead: (email: string) => `Rollcall sends these emails to ${email}.`,
  noEmail: 'You have no email address, so you get no notices. Ask an administrator to add one.',
  topics: {
    feedFailed: 'A feed failed.',
    feedStopped: 'A feed was stopped and awaits approval.',
    feedDigest: 'Once a day, a summary of what the feeds did.',
    callApproval: 'A bulk change that someone else scheduled awaits approval.',
    callDecided: 'Someone approved or rejected a bulk change that you scheduled.',
    webhookDisabled: 'A webhook was disabled because its receiver kept failing.',
    scimTargetFailing: "Users can't be sent to a connected service, or sending was paused because of that.",
    scimDeactivationLimit: 'An identity provider has reached its limit of deactivations.',
    backupFailed: 'A scheduled backup failed.',
  },
  cannotLoad: "Couldn't load your notices",
  notChanged: "Couldn't change your notices",
};
