import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { manifests } from '../../../scripts/packaging/manifests.js'

const root = join(import.meta.dirname, '..', '..', '..')
const url = 'https://example.com/indexwatch/releases/download/v1.2.3'
const asked: string[] = []
const files = manifests({
  version: '1.2.3',
  homepage: 'https://indexwatch.example',
  url,
  sha256: (name) => {
    asked.push(name)
    return String(asked.length).padStart(64, 'a')
  },
})
const winget = 'winget/manifests/i/Indexwatch/Indexwatch/1.2.3/Indexwatch.Indexwatch'

/** Every downloaded file, as each manifest writes it. */
function downloads(): string[] {
  return Object.values(files).flatMap((text) => text.match(/https:\S+\.(?:exe|dmg|tar\.gz)/g) ?? [])
}

describe('the manifests for package catalogues', () => {
  test("name files that electron-builder.yml creates, at the release's addresses", () => {
    const yml = readFileSync(join(root, 'electron-builder.yml'), 'utf8')
    expect(yml).toContain('artifactName: ${name}-${version}-${os}-${arch}.${ext}')
    const archs = ['win-x64.exe', 'mac-arm64.dmg', 'mac-x64.dmg', 'linux-arm64.tar.gz', 'linux-x64.tar.gz']
    expect(asked.toSorted()).toEqual(archs.map((end) => `indexwatch-1.2.3-${end}`).toSorted())
    expect(downloads().toSorted()).toEqual(
      [
        `${url}/indexwatch-1.2.3-win-x64.exe`,
        `${url}/indexwatch-1.2.3-linux-x64.tar.gz`,
        `${url}/indexwatch-1.2.3-linux-arm64.tar.gz`,
        // Homebrew fills in version and processor.
        `${url.replace('1.2.3', '#{version}')}/indexwatch-#{version}-mac-#{arch}.dmg`,
      ].toSorted(),
    )
  })

  test('winget: three files of one package and schema, with all required fields', () => {
    const needed = {
      [`${winget}.yaml`]: ['DefaultLocale: en-US', 'ManifestType: version'],
      [`${winget}.installer.yaml`]: [
        'Architecture: x64',
        'InstallerType: nullsoft',
        'InstallerUrl: https://',
        'ManifestType: installer',
      ],
      [`${winget}.locale.en-US.yaml`]: [
        ...['PackageLocale: en-US', 'Publisher: ', 'PackageName: Indexwatch', 'License: MIT', 'ShortDescription: '],
        ...['ReleaseNotesUrl: https://example.com/indexwatch/releases/tag/v1.2.3', 'ManifestType: defaultLocale'],
      ],
    }
    expect(Object.keys(files).filter((path) => path.startsWith('winget/'))).toEqual(Object.keys(needed))
    for (const [path, lines] of Object.entries(needed)) {
      const common = ['PackageIdentifier: Indexwatch.Indexwatch', 'PackageVersion: 1.2.3', 'ManifestVersion: 1.10.0']
      for (const line of [...common, ...lines]) expect(files[path]).toContain(line)
    }
    expect(files[`${winget}.installer.yaml`]).toMatch(/^ {4}InstallerSha256: [0-9A-F]{64}$/m)
  })

  test('Homebrew: a hash for each processor, and the macOS version of electron-builder.yml', () => {
    const cask = files['homebrew/Casks/i/indexwatch.rb']
    expect(cask).toMatch(/sha256 arm: {3}"[0-9a-f]{64}",\n {9}intel: "[0-9a-f]{64}"\n/)
    expect(readFileSync(join(root, 'electron-builder.yml'), 'utf8')).toContain("minimumSystemVersion: '13.0'")
    expect(cask).toContain('depends_on macos: ">= :ventura"')
  })

  test('Flathub: icons, desktop entry and AppStream file under one name', () => {
    const manifest = files['flathub/org.indexwatch.Indexwatch.yml'] ?? ''
    const [, sizes = ''] = /for size in ([\d ]+);/.exec(manifest) ?? []
    const icons = sizes.split(' ').map((size) => `${size}x${size}.png`)
    expect(readdirSync(join(root, 'resources', 'build', 'icons')).toSorted()).toEqual(icons.toSorted())
    expect(manifest).toMatch(/^ {8}sha256: [0-9a-f]{64}$/m)
    const metainfo = readFileSync(
      join(root, 'resources', 'build', 'linux', 'org.indexwatch.Indexwatch.metainfo.xml'),
      'utf8',
    )
    const [, launchable = ''] = /<launchable type="desktop-id">(.+)<\/launchable>/.exec(metainfo) ?? []
    expect(Object.keys(files)).toContain(`flathub/${launchable}`)
    expect(files[`flathub/${launchable}`]).toContain('Icon=org.indexwatch.Indexwatch\n')
  })
})
