#!/bin/sh
# Of an upgrade, too: dpkg says so by a word, rpm by the number of versions left. Its new version is in place by then.
set -e
case "$1" in
  upgrade | failed-upgrade | abort-install | abort-upgrade | disappear | [1-9]*) exit 0 ;;
esac

profile='/etc/apparmor.d/${executable}'
if [ -f "$profile" ]; then
  if apparmor_status --enabled >/dev/null 2>&1 && ! { command -v ischroot >/dev/null && ischroot; }; then
    apparmor_parser --remove "$profile" || true
  fi
  rm -f "$profile"
fi
