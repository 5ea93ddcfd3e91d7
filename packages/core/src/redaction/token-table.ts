// The token formats of known services: prefix, allowed characters and length, one line each.
import { type Alphabet, alphabet, WORD } from './alphabets.ts';

export type TokenRule = {
	kind: string;
	prefix: string;
	body: Alphabet;
	least: number;
	/** A longer run is not a token. */
	most: number;
	/** An additional check of the body. */
	accept?: (text: string, start: number, end: number) => boolean;
};

const ALNUM = alphabet(/[A-Za-z0-9]/);
const UPPER = alphabet(/[A-Z0-9]/);
const HEX = alphabet(/[0-9a-fA-F]/);
const BASE64 = alphabet(/[A-Za-z0-9+/=]/);
const WIDE = alphabet(/[A-Za-z0-9_=.+/-]/);
const DOTTED = alphabet(/[A-Za-z0-9_.-]/);

type Check = NonNullable<TokenRule['accept']>;
type Row = [kind: string, prefixes: string, body: Alphabet, least: number, most?: number, accept?: Check];

const LOOKED_AT = 128;
const head = (text: string, start: number, end: number): string => text.slice(start, Math.min(end, start + LOOKED_AT));
const mixed: Check = (...at) => /[a-z]/.test(head(...at)) && /[A-Z]/.test(head(...at));
const digit: Check = (...at) => /\d/.test(head(...at)) && /[A-Za-z]/.test(head(...at));
/** Two parts of JSON in base64, each with a brace at its start. */
const jwt: Check = (text, start, end) => {
	const dot = text.indexOf('.', start);
	return dot - start >= 10 && dot < end && text.startsWith('eyJ', dot + 1) && end - dot >= 14;
};
const parts =
	(...lengths: [least: number, most: number][]): Check =>
	(text, start, end) => {
		const found = text.slice(start, Math.min(end, start + 512)).split('.');
		return lengths.every(([least, most], at) => {
			const length = found[at]?.length ?? 0;
			return length >= least && length <= most;
		});
	};
const ANY = Number.POSITIVE_INFINITY;

const ROWS: readonly Row[] = [
	['anthropic', 'sk-ant-', WORD, 20],
	['openrouter', 'sk-or-v1-', HEX, 40],
	['openai', 'sk-proj- sk-svcacct- sk-admin- sk-None-', WORD, 20],
	['openai', 'sk-', ALNUM, 32, ANY, digit],
	['groq', 'gsk_', ALNUM, 40],
	['xai', 'xai-', ALNUM, 60],
	['replicate', 'r8_', ALNUM, 36],
	['perplexity', 'pplx-', ALNUM, 40],
	['huggingface', 'hf_ api_org_', ALNUM, 30, ANY, mixed],
	['fireworks', 'fw_', ALNUM, 22, ANY, digit],
	['nvidia', 'nvapi-', WORD, 60],
	['aws-bedrock', 'ABSK bedrock-api-key-', BASE64, 40],
	['github', 'ghp_ gho_ ghu_ ghs_ ghr_', ALNUM, 36],
	['github', 'github_pat_', WORD, 22],
	['gitlab', 'glpat- gldt- glrt- glptt- glcbt- glagent- gloas- glsoat- glffct- glimt- glft-', DOTTED, 20],
	['gitlab', 'GR1348941', WORD, 20],
	['aws-key-id', 'AKIA ASIA ABIA ACCA', UPPER, 16, 16],
	['alibaba', 'LTAI', ALNUM, 16, 24, digit],
	['tencent', 'AKID', ALNUM, 32, 36, digit],
	['google-api', 'AIza', WORD, 35, 35],
	['google-oauth', 'ya29. GOCSPX- 1//0', WORD, 20],
	['slack', 'xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxc- xoxd- xoxe.xoxb- xoxe.xoxp-', WIDE, 10, ANY, digit],
	['slack', 'xapp-', WORD, 20, ANY, digit],
	['stripe', 'sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rk_prod_', ALNUM, 10, ANY, digit],
	['stripe', 'whsec_', BASE64, 24],
	['npm', 'npm_', ALNUM, 36],
	['pypi', 'pypi-', WORD, 50],
	['rubygems', 'rubygems_', HEX, 40],
	['clojars', 'CLOJARS_', ALNUM, 60],
	['docker', 'dckr_pat_ dckr_oat_', WORD, 20],
	['artifactory', 'AKCp', ALNUM, 60],
	['artifactory', 'cmVmd', ALNUM, 56, 64],
	['jwt', 'eyJ', DOTTED, 30, ANY, jwt],
	['onepassword', 'ops_eyJ', BASE64, 100],
	['digitalocean', 'doo_v1_ dop_v1_ dor_v1_', HEX, 40],
	['twilio', 'AC SK', HEX, 32, 32],
	['sendgrid', 'SG.', DOTTED, 48, ANY, parts([16, 32], [30, 80])],
	['sendinblue', 'xkeysib- xsmtpsib-', WORD, 64],
	['mailgun', 'key- pubkey-', HEX, 32, 32],
	['discord', 'M N O', DOTTED, 56, 110, parts([22, 27], [6, 6], [27, 80])],
	['shopify', 'shpat_ shpca_ shppa_ shpss_', HEX, 32],
	['square', 'sq0atp- sq0csp- sq0idp-', WORD, 22],
	['square', 'EAAA', WORD, 60, 64],
	['facebook', 'EAAC EAAM', ALNUM, 100],
	['linear', 'lin_api_ lin_oauth_', ALNUM, 32],
	['notion', 'ntn_ secret_', ALNUM, 40, ANY, mixed],
	['figma', 'figd_', WORD, 30],
	['postman', 'PMAK-', WORD, 59, 59],
	['databricks', 'dapi', HEX, 32, 32],
	['doppler', 'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', DOTTED, 40],
	['duffel', 'duffel_test_ duffel_live_', WIDE, 40],
	['dynatrace', 'dt0c01.', DOTTED, 80],
	['easypost', 'EZAK EZTK', ALNUM, 54],
	['flutterwave', 'FLWSECK- FLWSECK_TEST-', WORD, 12],
	['fly', 'fo1_ fm1a_ fm1r_ fm2_', WIDE, 43],
	['frameio', 'fio-u-', WIDE, 64],
	['harness', 'pat. sat.', DOTTED, 60, ANY, parts([22, 22], [24, 24], [20, 20])],
	['vault', 'hvs. hvb. hvr.', WORD, 24],
	['grafana', 'glc_ glsa_', WIDE, 32],
	['newrelic', 'NRAK- NRAA- NRJS- NRII-', WORD, 19],
	['sentry', 'sntrys_ sntryu_', WIDE, 40],
	['supabase', 'sbp_ sb_secret_', WORD, 30, ANY, digit],
	['planetscale', 'pscale_tkn_ pscale_pw_ pscale_oauth_', WIDE, 32],
	['age', 'AGE-SECRET-KEY-1', UPPER, 50],
	['atlassian', 'ATATT3 ATCTT3 ATBB', WIDE, 28, ANY, digit],
	['tailscale', 'tskey-api- tskey-auth- tskey-client- tskey-scim- tskey-webhook-', WORD, 16],
	['airtable', 'pat', DOTTED, 79, 79, parts([14, 14], [64, 64])],
	['pulumi', 'pul-', HEX, 40],
	['heroku', 'HRKU-', WORD, 30],
	['prefect', 'pnu_ pnb_', ALNUM, 36],
	['readme', 'rdme_', ALNUM, 60],
	['scalingo', 'tk-us-', WORD, 44],
	['shippo', 'shippo_live_ shippo_test_', HEX, 40],
	['sourcegraph', 'sgp_', WORD, 40],
	['infracost', 'ico-', ALNUM, 32, 32],
	['intra42', 's-s4t2ud- s-s4t2af-', HEX, 64],
	['cloudflare', 'v1.0-', WORD, 140],
	['openshift', 'sha256~', WORD, 43, 43],
	['settlemint', 'sm_aat_ sm_pat_ sm_sat_', ALNUM, 16],
	['typeform', 'tfp_', DOTTED, 50],
	['yandex', 't1.9euelZ AQVN YCA', WIDE, 35, ANY, digit],
	['adobe', 'p8e-', ALNUM, 32],
	['langchain', 'lsv2_pt_ lsv2_sk_', WORD, 40],
	['buildkite', 'bkua_ bkat_', HEX, 40],
	['circleci', 'CCIPAT_ CCIPRJ_', WORD, 40],
	['contentful', 'CFPAT-', WORD, 40],
	['asana', '1/', alphabet(/[0-9:a-f/]/), 45, 70],
];

/** By the first two characters of the prefix. */
export const RULES_BY_PAIR: readonly (readonly TokenRule[] | undefined)[] = indexByPair(
	ROWS.flatMap(([kind, prefixes, body, least, most = ANY, accept]) =>
		prefixes.split(' ').map((prefix) => ({ kind, prefix, body, least, most, ...(accept && { accept }) })),
	),
);

function indexByPair(rules: readonly TokenRule[]): (TokenRule[] | undefined)[] {
	const table = new Array<TokenRule[] | undefined>(128 * 128).fill(undefined);
	for (const rule of rules) {
		const first = rule.prefix.charCodeAt(0) * 128;
		const seconds = rule.prefix.length > 1 ? [rule.prefix.charCodeAt(1)] : Array.from({ length: 128 }, (_, code) => code);
		for (const second of seconds) table[first + second] = [...(table[first + second] ?? []), rule];
	}
	return table;
}
