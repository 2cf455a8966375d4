//! Users and groups by name, for the owner of a socket, and whom a file is open to.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// What everybody may do with a file.
const OTHERS: u32 = 0o007;

/// Finds the number of a user in `/etc/passwd`; a number stands for itself, be it there or not.
pub fn user(name: &str) -> Option<u32> {
    number(name, "/etc/passwd")
}

/// Finds the number of a group in `/etc/group`; a number stands for itself, be it there or not.
pub fn group(name: &str) -> Option<u32> {
    number(name, "/etc/group")
}

/// Finds the number of a user's own group in `/etc/passwd`, by the user's name or number.
pub fn group_of(user: &str) -> Option<u32> {
    own_group(&fs::read_to_string("/etc/passwd").ok()?, user)
}

/// Returns the name of a user in `/etc/passwd`, or the number itself where none is there.
pub fn name_of(user: u32) -> String {
    // A table that is not there has no names.
    let table = fs::read_to_string("/etc/passwd").unwrap_or_default();
    name_in(&table, user).map_or_else(|| user.to_string(), str::to_owned)
}

/// Returns `true` if a file that holds a secret gives everybody a permission, to read, write or execute it; `false`
/// where there is no file.
pub fn is_open_to_all(secret: &Path) -> bool {
    fs::metadata(secret).is_ok_and(|file| file.is_file() && file.mode() & OTHERS != 0)
}

/// Finds the numbers of all groups that a user is in, by the user's name: the own one, and those of `/etc/group` that
/// list the user as a member.
pub fn groups_of(user: &str) -> Vec<u32> {
    // A table that is not there has no members.
    let table = fs::read_to_string("/etc/group").unwrap_or_default();
    group_of(user).into_iter().chain(memberships(&table, user)).collect()
}

/// Splits the lines of a table into their columns: `name:password:number:group:…` for each user,
/// `name:password:number:members` for each group. A line may have fewer.
fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table.lines().map(|line| line.split(':').collect())
}

/// Finds the numbers of the groups whose list of members has a user, in the table of groups.
fn memberships(table: &str, user: &str) -> Vec<u32> {
    let theirs = rows(table).filter(|row| row.get(3).is_some_and(|all| all.split(',').any(|member| member == user)));
    theirs.filter_map(|row| row.get(2)?.parse().ok()).collect()
}

/// Finds the name of a number in either table.
fn name_in(table: &str, number: u32) -> Option<&str> {
    rows(table).find_map(|row| (row.get(2)?.parse() == Ok(number)).then_some(row[0]))
}

/// Finds the number of a user's own group in the table of users, by the user's name or number.
fn own_group(table: &str, user: &str) -> Option<u32> {
    let mut meant = rows(table).filter(|row| row[0] == user || row.get(2) == Some(&user));
    meant.find_map(|row| row.get(3)?.parse().ok())
}

/// Returns a number as it is, and that of a name as the file has it; none where the file can't be read or has no such
/// name.
fn number(name: &str, file: &str) -> Option<u32> {
    name.parse().ok().or_else(|| find(&fs::read_to_string(file).ok()?, name))
}

/// Finds the number of a name in either table.
fn find(table: &str, name: &str) -> Option<u32> {
    rows(table).filter(|row| row[0] == name).find_map(|row| row.get(2)?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_whole_names_only() {
        let table = "root:x:0:0:root:/root:/bin/sh\npostfix:x:101:102::/:\nbad:x\n";
        assert_eq!(find(table, "postfix"), Some(101));
        assert_eq!(find(table, "post"), None);
        assert_eq!(find(table, "bad"), None);
        assert_eq!(user("65534"), Some(65534));
        assert_eq!(own_group(table, "postfix"), Some(102));
        assert_eq!(own_group(table, "101"), Some(102));
        assert_eq!(own_group(table, "post"), None);
        assert_eq!([name_in(table, 101), name_in(table, 102)], [Some("postfix"), None]);
        let groups = "root:x:0:\npostfix:x:102:septet,sep\nmail:x:8:septets\n";
        assert_eq!([memberships(groups, "septet"), memberships(groups, "root")], [vec![102], vec![]]);
    }
}
