#!/usr/bin/env ruby
# Converts files of mail by one septet: batch.rb OUT FILE…  OUT is a folder; a line for each file says what was done.
require 'json'
require 'open3'

out, *files = ARGV
abort 'usage: batch.rb OUT FILE...' if files.empty?

Open3.popen2(ENV.fetch('SEPTET', 'septet'), 'filter', '--batch') do |to, from, septet|
  [to, from].each(&:binmode)
  files.each do |file|
    mail = File.binread(file)
    to.puts JSON.generate(length: mail.bytesize, profile: 'utf8')
    to.write mail
    to.flush

    answer = JSON.parse(from.gets || abort('septet ended'))
    length = answer['length']
    made = length.zero? ? '' : from.read(length)
    abort 'septet ended' unless made&.bytesize == length
    File.binwrite(File.join(out, File.basename(file)), made)
    text = answer['error'] || answer['report'].map { |entry| entry['text'] }.join('; ')
    puts "#{file}: #{answer['result']} #{text}"
  end
  to.close
  exit septet.value.exitstatus || 1
end
