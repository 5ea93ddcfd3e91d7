// What a check found: one sentence, and where something is to be done, another one that says what.

export type Finding = {
	/** The name of the check. */
	check: string;
	/** `warn`: Roost works, but not as well as it could. */
	state: 'ok' | 'warn' | 'fail';
	says: string;
	remedy?: string;
};

/** What a check says of one thing; its name is added to it. */
export type Said = Omit<Finding, 'check'>;

export const fine = (says: string): Said => ({ state: 'ok', says });
export const warn = (says: string, remedy: string): Said => ({ state: 'warn', says, remedy });
export const fail = (says: string, remedy: string): Said => ({ state: 'fail', says, remedy });
