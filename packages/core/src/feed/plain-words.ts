// Names that agents use, in plain words. A name that is not in a table is shown as it came.

const WORDS = {
	/** How a session started. */
	start: {
		startup: 'Session started',
		resume: 'Session resumed',
		clear: 'Session cleared',
		compact: 'Session compacted',
		fork: 'Session forked',
	},
	/** Why the agent's own id of a session changed; empty for the first one. */
	native: { startup: '', resume: 'resumed', clear: 'cleared', compact: 'compacted', fork: 'forked' },
	/** Why a session ended; empty where the agent gives no reason. */
	end: {
		other: '',
		clear: 'it was cleared',
		resume: 'another session was resumed',
		logout: 'the user signed out',
		prompt_input_exit: 'the user exited',
		bypass_permissions_disabled: 'bypassing permissions was disabled',
	},
	/** What stopped an agent; empty where the agent does not know. */
	stop: {
		unknown: '',
		authentication_failed: 'the agent is not signed in',
		oauth_org_not_allowed: 'the organisation does not allow this',
		account_on_hold: 'the account is on hold',
		verification_required: 'the account must be verified',
		billing_error: 'billing error',
		rate_limit: 'rate limit reached',
		overloaded: 'the model is overloaded',
		invalid_request: 'the model rejected the request',
		model_not_found: 'model not found',
		server_error: "the model's server failed",
		max_output_tokens: 'output token limit reached',
		cloud_credential_error: 'invalid cloud credentials',
	},
	trigger: { manual: 'on request', auto: 'automatically', init: 'for the first time', maintenance: 'for maintenance' },
	settings: {
		user_settings: 'user settings',
		project_settings: 'project settings',
		local_settings: 'local project settings',
		policy_settings: 'organisation settings',
		skills: 'skills',
	},
	file: { add: 'File added', change: 'File changed', unlink: 'File removed' },
	elicitation: { accept: 'answered', decline: 'declined', cancel: 'cancelled' },
} satisfies Record<string, Readonly<Record<string, string>>>;

export function plainWords(table: keyof typeof WORDS, name: string): string {
	const words: Readonly<Record<string, string>> = WORDS[table];
	return Object.hasOwn(words, name) ? (words[name] ?? name) : name;
}

export const stopWords = (error: string): string => plainWords('stop', error);

export const elicitationWords = (action: string): string => plainWords('elicitation', action);

/** The error of a call; for programs that were killed or never began, agents report exit code -1. */
export function failureWords(error: string): string {
	return error.replace(/^\s*(?:Exit code|exit code) -1\b/u, 'No exit code');
}
