// @ts-check
/**
 * One release, as package catalogues need it. A person submits the manifests, see docs/development/releasing.md.
 * @typedef {object} Release
 * @property {string} version
 * @property {string} homepage
 * @property {string} url address of the folder with the release files. It has no trailing slash.
 * @property {(name: string) => string} sha256 returns the hash of a release file in hex. Throws for an unknown file.
 */

const publisher = 'The Indexwatch developers'
const summary = 'Live crypto-index values, exact digits and native alerts'
const appId = 'org.indexwatch.Indexwatch'

/** @param {'version' | 'installer' | 'defaultLocale'} type @param {string} version @param {string[]} lines */
function wingetFile(type, version, lines) {
  return [
    `# yaml-language-server: $schema=https://aka.ms/winget-manifest.${type}.1.10.0.schema.json`,
    'PackageIdentifier: Indexwatch.Indexwatch',
    `PackageVersion: ${version}`,
    ...lines,
    `ManifestType: ${type}`,
    'ManifestVersion: 1.10.0',
    '',
  ].join('\n')
}

/** @param {Release} release @returns {Record<string, string>} */
function winget({ version, homepage, url, sha256 }) {
  const folder = `winget/manifests/i/Indexwatch/Indexwatch/${version}`
  const name = `indexwatch-${version}-win-x64.exe`
  const texts = ['PackageName: Indexwatch', 'License: MIT', `ShortDescription: ${summary}`]
  const installer = [
    'Installers:',
    '  - Architecture: x64',
    '    InstallerType: nullsoft',
    '    Scope: user',
    '    UpgradeBehavior: install',
    '    Protocols:',
    '      - indexwatch',
    `    InstallerUrl: ${url}/${name}`,
    `    InstallerSha256: ${sha256(name).toUpperCase()}`,
  ]
  return {
    [`${folder}/Indexwatch.Indexwatch.yaml`]: wingetFile('version', version, ['DefaultLocale: en-US']),
    [`${folder}/Indexwatch.Indexwatch.installer.yaml`]: wingetFile('installer', version, installer),
    [`${folder}/Indexwatch.Indexwatch.locale.en-US.yaml`]: wingetFile('defaultLocale', version, [
      'PackageLocale: en-US',
      `Publisher: ${publisher}`,
      `PackageUrl: ${homepage}`,
      ...texts,
      `ReleaseNotesUrl: ${url.replace('/download/', '/tag/')}`,
    ]),
  }
}

/** @param {Release} release */
function cask({ version, homepage, url, sha256 }) {
  const hashOf = (/** @type {string} */ arch) => sha256(`indexwatch-${version}-mac-${arch}.dmg`)
  const place = url.replaceAll(version, '#{version}')
  return `cask "indexwatch" do
  arch arm: "arm64", intel: "x64"

  version "${version}"
  sha256 arm:   "${hashOf('arm64')}",
         intel: "${hashOf('x64')}"

  url "${place}/indexwatch-#{version}-mac-#{arch}.dmg"
  name "Indexwatch"
  desc "Live values of crypto indices, exact digits and native alerts"
  homepage "${homepage}/"

  depends_on macos: ">= :ventura"

  app "Indexwatch.app"

  uninstall quit: "${appId}"

  zap trash: [
    "~/Library/Application Support/Indexwatch",
    "~/Library/Preferences/${appId}.plist",
    "~/Library/Saved Application State/${appId}.savedState",
  ]
end
`
}

/** @param {Release} release */
function flathub({ version, url, sha256 }) {
  const archive = (/** @type {string} */ arch, /** @type {string} */ only) => {
    const name = `indexwatch-${version}-linux-${arch}.tar.gz`
    return `      - type: archive
        strip-components: 0
        only-arches: [${only}]
        url: ${url}/${name}
        sha256: ${sha256(name)}`
  }
  return `id: ${appId}
runtime: org.freedesktop.Platform
runtime-version: '25.08'
sdk: org.freedesktop.Sdk
base: org.electronjs.Electron2.BaseApp
base-version: '25.08'
command: indexwatch
separate-locales: false
finish-args:
  - --share=ipc
  - --share=network
  - --socket=wayland
  - --socket=fallback-x11
  - --device=dri
  - --talk-name=org.freedesktop.Notifications
  - --talk-name=org.freedesktop.secrets
  - --talk-name=org.kde.StatusNotifierWatcher
modules:
  - name: indexwatch
    buildsystem: simple
    build-commands:
      - mkdir -p /app/indexwatch
      - cp -a indexwatch-*/. /app/indexwatch
      - install -Dm755 indexwatch.sh /app/bin/indexwatch
      - install -Dm644 ${appId}.desktop -t /app/share/applications
      - install -Dm644 ${appId}.metainfo.xml -t /app/share/metainfo
      - for size in 16 24 32 48 64 96 128 256 512; do install -Dm644 icons/\${size}x\${size}.png /app/share/icons/hicolor/\${size}x\${size}/apps/${appId}.png; done
    sources:
${archive('x64', 'x86_64')}
${archive('arm64', 'aarch64')}
      - type: script
        dest-filename: indexwatch.sh
        commands:
          - exec zypak-wrapper /app/indexwatch/indexwatch "$@"
      - type: file
        path: ${appId}.desktop
      - type: file
        path: ${appId}.metainfo.xml
      - type: dir
        path: icons
        dest: icons
`
}

const desktopEntry = `[Desktop Entry]
Name=Indexwatch
Comment=${summary}
Exec=indexwatch %U
Icon=${appId}
Terminal=false
Type=Application
StartupWMClass=${appId}
MimeType=x-scheme-handler/indexwatch;
Categories=Office;Finance;
`

/**
 * The manifests for winget, Homebrew and Flathub, by path. Flathub also needs the AppStream file and the icons.
 * @param {Release} release
 * @returns {Record<string, string>}
 */
export function manifests(release) {
  return {
    ...winget(release),
    'homebrew/Casks/i/indexwatch.rb': cask(release),
    [`flathub/${appId}.yml`]: flathub(release),
    [`flathub/${appId}.desktop`]: desktopEntry,
  }
}
