/** What an app does besides answering, if it is asked to. A build puts constants of its own in the place of these, so that a server which can't need it is without its code. */

/** A line in the log for each request. */
export const ACCESS_LOG: boolean = true;
/** An answer to probes. */
export const HEALTH: boolean = true;
/** Answers that tell a developer more than a stranger should know. */
export const DEV: boolean = true;
