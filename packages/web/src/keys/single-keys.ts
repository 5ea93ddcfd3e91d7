// Whether keys without ⌘ or Ctrl do anything; a setting of this browser.

const SETTING = 'single-keys';

export function usesSingleKeys(): boolean {
	return localStorage.getItem(SETTING) !== 'off';
}

export function setSingleKeys(isOn: boolean): void {
	localStorage.setItem(SETTING, isOn ? 'on' : 'off');
}
