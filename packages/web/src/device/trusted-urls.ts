// The only addresses that may become scripts of this page: its service worker, and workers among its own built files.

type Policy = { createScriptURL(url: string): string };
declare const trustedTypes: { createPolicy(name: string, rules: Policy): Policy } | undefined;

const OWN = /^\/(?:sw|assets\/[\w-]+)\.js$/;

const rules: Policy = {
	createScriptURL(url) {
		const { origin, pathname } = new URL(url, location.origin);
		if (origin !== location.origin || !OWN.test(pathname)) throw new TypeError(`${url} is no script of this page.`);
		return pathname;
	},
};

/** Made once: the policy of the page allows one of this name. Browsers without Trusted Types use the same check. */
const policy = typeof trustedTypes === 'undefined' ? rules : trustedTypes.createPolicy('roost', rules);

export function trustedScriptUrl(url: string): string {
	return policy.createScriptURL(url);
}
