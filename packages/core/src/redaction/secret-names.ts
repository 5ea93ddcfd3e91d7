// Which names of variables, fields and options mark their value as a secret.

/** `weak`: only a value that looks random is a secret. */
export type NameStrength = 'strong' | 'weak' | 'none';

/** Every such name contains one of these; searching for them is cheaper than checking every name. */
export const NAME_PART = /pass|pwd|_pw|secret|token|cred|key|auth|jwt|cookie|conn(?:ection)?_?str|session_?id/gi;

const MAYBE = new RegExp(NAME_PART.source, 'i');
const STRONG =
	/(?:password|passwd|passphrase|passcode|passwort|secret|token|apikey|accesskey|secretkey|privatekey|signingkey|encryptionkey|accountkey|authkey|masterkey|sharedkey|credentials?|connectionstring|connstr|jwt)$/;
const SHORT = new Set(['pass', 'pwd', 'pw', 'passwd', 'key', 'auth', 'creds', 'cred', 'cookie', 'sessionid']);
/** Suffixes of such names: `SECRET_KEY_BASE`, `client-key-data`, `TOKEN_2`. */
const TAIL = /^(?:\d{1,3}|base|base64|b64|value|raw|data|hex|prod|production|dev|staging|test|old|new)$/;
const HARMLESS =
	/(?:page|cursor|continuation|next|csrf|sync|cancel|cancellation|max|min|stop|eos|bos|pad|unk|mask|special|first|last|start|end)token$|public|^(?:old)?pwd$/;
const HARMLESS_KEY =
	/^(?:public|primary|foreign|sort|partition|range|cache|object|idempotency|map|row|column|unique|composite|message|translation|i18n|query|react|item|group|arrow|hot|short|press|down|up|registry|json|property|prop|host|known|hash|index|lookup|search|order|dedupe|dedup|routing|sub|parent|child|entry|field|attribute|label|param|header|dict|record|resource|state|store|context|theme|feature|flag|event|tab|enter|any|which|that|the|a|no|missing|duplicate|same|other|each|every|of|by|with|to|is|has|get|set|for|or|and|delete|del|add|on|in|my|this|option|config|setting|storage|data|meta|bucket|file|path|name|id|type|kind|node|tree|line|word|char|modifier|control|ctrl|shift|alt|command|function|escape|return|space|home|insert|backspace|left|right|metadata|binding|env|variable|secondary|natural|surrogate|business|join|merge|sort|compound)$/;

/** Cached, because the same few names are checked repeatedly. */
const known = new Map<string, NameStrength>();
const MOST_KNOWN = 4096;

export function strengthOf(name: string): NameStrength {
	if (name.length > LONGEST) return 'none';
	const before = known.get(name);
	if (before !== undefined) return before;
	if (known.size >= MOST_KNOWN) known.clear();
	const strength = judgeName(name);
	known.set(name, strength);
	return strength;
}

const LONGEST = 128;

function judgeName(name: string): NameStrength {
	if (!MAYBE.test(name)) return 'none';
	const words = wordsOf(name);
	while (words.length > 1 && TAIL.test(words.at(-1) ?? '')) words.pop();
	const plain = words.join('');
	if (HARMLESS.test(plain)) return 'none';
	const last = words.at(-1) ?? '';
	if (STRONG.test(plain)) return 'strong';
	if (!SHORT.has(last)) return 'none';
	if (last === 'key') return words.length > 1 && !HARMLESS_KEY.test(words.at(-2) ?? '') ? 'weak' : 'none';
	if (last === 'auth') return name.startsWith('_') || words.length === 1 ? 'weak' : 'none';
	return words.length > 1 ? 'strong' : 'weak';
}

function wordsOf(name: string): string[] {
	return name
		.replace(/([a-z0-9])([A-Z])/g, '$1 $2')
		.toLowerCase()
		.split(/[^a-z0-9]+/)
		.filter((word) => word !== '');
}
