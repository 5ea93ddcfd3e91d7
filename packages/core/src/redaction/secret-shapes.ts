// What known tokens look like. Each shape starts at a fixed prefix at the start of a run and never looks back, so a search is linear.
import { someLongRun } from './long-runs.ts';

export type SecretShape = {
	kind: string;
	/** Finds the secret; where it has a group, only the group is secret. */
	shape: RegExp;
	/** A last look at what was found. */
	accept?: (secret: string) => boolean;
};

/** A token begins where no word is running, or right after an escaped line break. */
const START = '(?:(?<=\\\\[nrt])|(?<![A-Za-z0-9_-]))';
const END = '(?![A-Za-z0-9_-])';

const token = (kind: string, body: string, accept?: (secret: string) => boolean): SecretShape => ({
	kind,
	shape: new RegExp(START + body, 'g'),
	...(accept && { accept }),
});
const exact = (kind: string, body: string): SecretShape => token(kind, body + END);

const mixed = (secret: string): boolean => /[a-z]/.test(secret) && /[A-Z]/.test(secret);
const hasDigit = (secret: string): boolean => /\d/.test(secret) && /[A-Za-z]/.test(secret);

export const SECRET_SHAPES: readonly SecretShape[] = [
	token('anthropic', 'sk-ant-[A-Za-z0-9_-]{20,}'),
	token('openrouter', 'sk-or-v1-[0-9a-f]{40,}'),
	token('openai', 'sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}'),
	token('openai', 'sk-[A-Za-z0-9]{32,}', hasDigit),
	token('groq', 'gsk_[A-Za-z0-9]{40,}'),
	token('xai', 'xai-[A-Za-z0-9]{60,}'),
	token('replicate', 'r8_[A-Za-z0-9]{36,}'),
	token('perplexity', 'pplx-[A-Za-z0-9]{40,}'),
	token('huggingface', 'hf_[A-Za-z0-9]{30,}', mixed),
	token('github', 'gh[pousr]_[A-Za-z0-9]{36,}'),
	token('github', 'github_pat_[A-Za-z0-9_]{22,}'),
	token('gitlab', 'gl(?:pat|dt|rt|ptt|cbt|agent|oas|soat|ffct|imt)-[A-Za-z0-9_-]{20,}'),
	exact('aws-key-id', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}'),
	exact('google-api', 'AIza[A-Za-z0-9_-]{35}'),
	token('google-oauth', 'ya29\\.[A-Za-z0-9_-]{20,}'),
	token('google-oauth', 'GOCSPX-[A-Za-z0-9_-]{20,}'),
	token('slack', 'xox[abeoprs]-[A-Za-z0-9-]{10,}', hasDigit),
	token('slack', 'xapp-\\d-[A-Za-z0-9-]{20,}'),
	token('stripe', '[sr]k_(?:live|test)_[A-Za-z0-9]{16,}'),
	token('stripe', 'whsec_[A-Za-z0-9+/=]{24,}'),
	token('npm', 'npm_[A-Za-z0-9]{36,}'),
	token('pypi', 'pypi-[A-Za-z0-9_-]{50,}'),
	token('rubygems', 'rubygems_[0-9a-f]{40,}'),
	token('docker', 'dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}'),
	token('jwt', 'eyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}'),
	token('digitalocean', 'do[opr]_v1_[0-9a-f]{40,}'),
	exact('twilio', '(?:AC|SK)[0-9a-f]{32}'),
	token('sendgrid', 'SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{30,}'),
	exact('mailgun', 'key-[0-9a-f]{32}'),
	exact('mailchimp', '[0-9a-f]{32}-us\\d{1,2}'),
	token('discord', '[MNO][A-Za-z0-9_-]{22,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,}'),
	exact('telegram', '\\d{8,10}:AA[A-Za-z0-9_-]{33}'),
	token('shopify', 'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32,}'),
	token('square', 'sq0(?:atp|csp)-[A-Za-z0-9_-]{22,}'),
	token('linear', 'lin_(?:api|oauth)_[A-Za-z0-9]{32,}'),
	token('notion', '(?:ntn|secret)_[A-Za-z0-9]{40,}', mixed),
	token('figma', 'figd_[A-Za-z0-9_-]{30,}'),
	token('postman', 'PMAK-[0-9a-f]{24}-[0-9a-f]{34}'),
	exact('databricks', 'dapi[0-9a-f]{32}(?:-\\d)?'),
	token('doppler', 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9._-]{40,}'),
	token('vault', 'hv[sbr]\\.[A-Za-z0-9_-]{24,}'),
	token('terraform', '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_-]{60,}'),
	token('grafana', 'gl(?:c|sa)_[A-Za-z0-9_+/=]{32,}'),
	token('newrelic', 'NRAK-[A-Z0-9]{20,}'),
	token('sentry', 'sntry[su]_[A-Za-z0-9_+/=-]{40,}'),
	token('supabase', 'sbp_[0-9a-f]{40,}'),
	token('planetscale', 'pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,}'),
	token('age', 'AGE-SECRET-KEY-1[0-9A-Z]{50,}'),
	token('atlassian', 'ATATT3[A-Za-z0-9_=-]{60,}'),
	token('tailscale', 'tskey-[a-z]{2,20}-[A-Za-z0-9-]{16,}'),
	token('airtable', 'pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}'),
	token('pulumi', 'pul-[0-9a-f]{40,}'),
	token('heroku', 'HRKU-[A-Za-z0-9_-]{30,}'),
];

/** Known by what stands around it. */
export const PLACED_SHAPES: readonly SecretShape[] = [
	{
		kind: 'slack-webhook',
		shape: /hooks\.slack\.com\/services\/(T[A-Z0-9]{6,}\/B[A-Z0-9]{6,}\/[A-Za-z0-9]{16,})/g,
	},
	{ kind: 'azure-storage', shape: /(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,}={0,2})/g },
	{ kind: 'azure-sas', shape: /[?&]sig=([A-Za-z0-9%+/]{40,}={0,2})/g },
	{
		kind: 'discord-webhook',
		shape: /discord(?:app)?\.com\/api\/webhooks\/\d{5,25}\/([A-Za-z0-9_-]{40,})/g,
	},
	{ kind: 'bearer', shape: /(?<![A-Za-z0-9])[Bb]earer[ +]{1,4}([A-Za-z0-9._~+/-]{16,}={0,2})/g, accept: hasDigit },
	{
		kind: 'basic-auth',
		shape: /(?<![A-Za-z0-9])[Aa]uthorization["']?[:=]\s{0,4}["']?[Bb]asic ([A-Za-z0-9+/]{8,}={0,2})/g,
	},
	{ kind: 'url-password', shape: /:\/\/[^\s/:@"'<>`\\]{0,128}:([^\s/@"'<>`\\]{1,256})@/g, accept: isRealPassword },
	exact('azure-client', '[A-Za-z0-9_~.-]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}'),
];

export const MAYBE_PLACED = /hooks\.slack\.com|Key=|sig=|\/api\/webhooks\/|earer|uthorization|:\/\/[^\s/:@]{0,128}:|Q~/;

/** Not a variable, a placeholder or a mark of ours. */
function isRealPassword(secret: string): boolean {
	return !/^(?:\$|\{|<|\*+$|%s$|\[redacted:|pass(?:word)?$)/i.test(secret);
}

/** Whether a token shape could match at all: most text is dismissed without a search. */
export function mayHoldToken(text: string): boolean {
	return someLongRun(text, (start, end) => BEGINNING.test(text.slice(Math.max(0, start - LONGEST_PREFIX), end)));
}

const LONGEST_PREFIX = 48;
const BEGINNING = new RegExp(
	[
		'sk-|gsk_|xai-|r8_|pplx-|hf_|gh[pousr]_|github_pat_|gl[a-z]{1,5}[-_]|A(?:KIA|SIA|BIA|CCA)|AIza|ya29\\.|GOCSPX-|xox[abeoprs]-|xapp-',
		'[sr]k_(?:live|test)_|whsec_|npm_|pypi-|rubygems_|dckr_|eyJ|do[opr]_v1_|(?:AC|SK)[0-9a-f]{32}|SG\\.|key-[0-9a-f]{32}|-us\\d',
		'\\.[A-Za-z0-9_-]{6}\\.|:AA|shp[a-z]{2}_|sq0|lin_|ntn_|secret_|figd_|PMAK-|dapi|dp\\.|hv[sbr]\\.|\\.atlasv1\\.|NRAK-|sntry|sbp_',
		'pscale_|AGE-SECRET|ATATT3|tskey-|pat[A-Za-z0-9]{14}\\.|pul-|HRKU-',
	].join('|'),
);
