# Real mail: msmtp hands it to a relay. Without a relay mail stays in a folder, for development.
#
#   TRACKME_MAIL_RELAY           smtp://HOST[:587] (STARTTLS), smtps://HOST[:465], or smtp+plain://HOST[:25] for this machine or
#                                network; USER@ before HOST logs in
#   TRACKME_MAIL_PASSWORD_FILE   USER's password, in a file
#   TRACKME_MAIL_FROM            the sender of mail
#   TRACKME_MAIL_BOUNCES         where delivery reports go; what comes there is piped to `trackme-accounts bounce RECIPIENT`

readonly MAIL_RELAY='^(smtp|smtps|smtp\+plain)://(([A-Za-z0-9._%+@-]+)@)?([A-Za-z0-9.-]+)(:([1-9][0-9]{0,4}))?/?$'

# Ends when the settings of mail do not go together.
mail_check() {
    [[ -n ${TRACKME_MAIL_RELAY:-} ]] || return 0
    [[ $TRACKME_MAIL_RELAY =~ $MAIL_RELAY ]] ||
        die "TRACKME_MAIL_RELAY: '$TRACKME_MAIL_RELAY' is not smtp://HOST, smtps://HOST or smtp+plain://HOST, with USER@ and :PORT where needed."
    ((${BASH_REMATCH[6]:-25} <= 65535)) || die "TRACKME_MAIL_RELAY: there is no port ${BASH_REMATCH[6]}; the last one is 65535."
    [[ -n ${TRACKME_MAIL_FROM:-} ]] || die "TRACKME_MAIL_RELAY needs TRACKME_MAIL_FROM, the sender of mail."
    [[ -z ${BASH_REMATCH[3]} || -s ${TRACKME_MAIL_PASSWORD_FILE:-} ]] ||
        die "TRACKME_MAIL_RELAY names a user: TRACKME_MAIL_PASSWORD_FILE has to be a file with the password."
}

# Writes what msmtp needs into the directory of accounts, if there is a relay. Argument: the directory.
mail_files() {
    mail_check
    rm -f "$1/msmtprc" "$1/mail.password"
    [[ ${TRACKME_MAIL_RELAY:-} =~ $MAIL_RELAY ]] || return 0
    local scheme=${BASH_REMATCH[1]} user=${BASH_REMATCH[3]} host=${BASH_REMATCH[4]} port=${BASH_REMATCH[6]} password
    (
        umask 077
        {
            printf 'account default\nhost %s\ntimeout 30\n' "$host"
            case $scheme in
                smtp) printf 'port %d\ntls on\ntls_starttls on\n' "${port:-587}" ;;
                smtps) printf 'port %d\ntls on\ntls_starttls off\n' "${port:-465}" ;;
                smtp+plain) printf 'port %d\ntls off\n' "${port:-25}" ;;
            esac
            if [[ -n $user ]]; then
                cp "$TRACKME_MAIL_PASSWORD_FILE" "$1/mail.password"
                password=$(file_of accounts mail.password)
                printf 'auth on\nuser %s\npasswordeval "cat %s"\n' "$user" "${password//\"/}"
            fi
        } >"$1/msmtprc"
    )
}

# Prints the members of accounts' settings that say where mail goes.
mail_members() {
    if [[ -z ${TRACKME_MAIL_RELAY:-} ]]; then
        printf '"mail_directory": %s' "$(json_string "$LAYOUT_DATA/mail")"
        # In a checkout nobody takes the mail of simulated people away.
        [[ $LAYOUT != checkout ]] || printf ', "mails_max": 10000'
    else
        printf '"mail_program": ["/usr/bin/msmtp", "-C", %s], "mail_from": %s' \
            "$(file_of accounts msmtprc)" "$(json_string "$TRACKME_MAIL_FROM")"
    fi
    [[ -z ${TRACKME_MAIL_BOUNCES:-} ]] || printf ', "mail_bounces": %s' "$(json_string "$TRACKME_MAIL_BOUNCES")"
}
