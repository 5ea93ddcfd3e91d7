// The result of a check: one sentence, and a remedy if something is to be done.

export type Finding = {
	check: string;
	/** `warn`: Roost works with limitations. */
	state: 'ok' | 'warn' | 'fail';
	says: string;
	remedy?: string;
};

export type Outcome = Omit<Finding, 'check'>;

export const fine = (says: string): Outcome => ({ state: 'ok', says });
export const warn = (says: string, remedy: string): Outcome => ({ state: 'warn', says, remedy });
export const fail = (says: string, remedy: string): Outcome => ({ state: 'fail', says, remedy });
