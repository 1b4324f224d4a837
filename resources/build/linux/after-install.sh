#!/bin/sh
# In place of electron-builder's: the command is a file of the package, and no error is passed over.
set -e

# A kernel that gives no user namespaces to users leaves only the set-uid helper.
if unshare --user true 2>/dev/null; then mode=0755; else mode=4755; fi
chmod "$mode" '/opt/${sanitizedProductName}/chrome-sandbox'

if command -v update-desktop-database >/dev/null; then
  update-desktop-database /usr/share/applications
fi

# Ubuntu from 24.04 on gives user namespaces only to programs with a profile. Older versions of AppArmor cannot read it.
source='/opt/${sanitizedProductName}/resources/apparmor-profile'
profile='/etc/apparmor.d/${executable}'
if apparmor_status --enabled >/dev/null 2>&1 && apparmor_parser --skip-kernel-load --debug "$source" >/dev/null 2>&1; then
  cp -f "$source" "$profile"
  # A system that is being built inside another one has no kernel of its own.
  if ! { command -v ischroot >/dev/null && ischroot; }; then
    apparmor_parser --replace --write-cache --skip-read-cache "$profile"
  fi
fi
