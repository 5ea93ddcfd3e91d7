// What agents call things, in words for people. What is not in a table is shown as it came: a new name is better than none.

/** How a session started. */
export function startWords(source: string): string {
	return wordsIn(STARTS, source);
}

const STARTS: Words = {
	startup: 'Session started',
	resume: 'Session resumed',
	clear: 'Session started anew',
	compact: 'Session goes on after compacting',
	fork: 'Session branched off',
};

/** Why an agent has another id of its own for a session; the first one needs no word. */
export function nativeWords(reason: string): string {
	return wordsIn(NATIVES, reason);
}

const NATIVES: Words = {
	startup: '',
	resume: 'resumed',
	clear: 'started anew',
	compact: 'goes on after compacting',
	fork: 'branched off',
};

/** Why a session ended; empty where the agent gives no reason. */
export function endWords(reason: string): string {
	return wordsIn(ENDS, reason);
}

const ENDS: Words = {
	other: '',
	clear: 'it was cleared',
	resume: 'another one was resumed',
	logout: 'the user signed out',
	prompt_input_exit: 'the user left',
	bypass_permissions_disabled: 'bypassing permissions was switched off',
};

/** What stopped an agent; empty where the agent does not know. */
export function stopWords(error: string): string {
	return wordsIn(STOPS, error);
}

const STOPS: Words = {
	unknown: '',
	authentication_failed: 'the agent is not signed in',
	oauth_org_not_allowed: 'the organisation does not allow this',
	account_on_hold: 'the account is on hold',
	verification_required: 'the account must be verified',
	billing_error: 'something is wrong with the billing',
	rate_limit: 'too many requests for now',
	overloaded: 'the model has too much to do for now',
	invalid_request: 'the model did not accept the request',
	model_not_found: 'there is no such model',
	server_error: "the model's server failed",
	max_output_tokens: 'the answer became too long',
	cloud_credential_error: 'the cloud credentials do not work',
};

/** Who or what set something off. */
export function triggerWords(trigger: string): string {
	return wordsIn(TRIGGERS, trigger);
}

const TRIGGERS: Words = { manual: 'on request', auto: 'by itself', init: 'for the first time', maintenance: 'for maintenance' };

export function settingsWords(source: string): string {
	return wordsIn(SETTINGS, source);
}

const SETTINGS: Words = {
	user_settings: 'those of the user',
	project_settings: 'those of the project',
	local_settings: 'those of this copy of the project',
	policy_settings: 'those of the organisation',
	skills: 'the skills',
};

export function fileWords(event: string): string {
	return wordsIn(FILES, event);
}

const FILES: Words = { add: 'File added', change: 'File changed', unlink: 'File removed' };

export function elicitationWords(action: string): string {
	return wordsIn(ELICITATIONS, action);
}

const ELICITATIONS: Words = { accept: 'answered', decline: 'declined', cancel: 'cancelled' };

/** The error of a call; programs that were killed or never began have an exit code that is none. */
export function failureWords(error: string): string {
	return error.replace(/^\s*(?:Exit code|exit code) -1\b/u, 'Ended without an exit code');
}

type Words = Readonly<Record<string, string>>;

function wordsIn(words: Words, name: string): string {
	return Object.hasOwn(words, name) ? (words[name] ?? name) : name;
}
